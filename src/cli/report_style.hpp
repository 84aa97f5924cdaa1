#pragma once

namespace agentlock::cli::report {

/// The page's style sheet, all of it. The page's content security policy names its
/// hash, so that no other style counts. What is told by colour is told in words too;
/// the pairs of ink and ground have a contrast of at least 4.5 to 1 in both schemes.
inline constexpr char kStyle[] = R"css(
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --card: #ffffff; --ink: #15181d; --soft: #545e6b; --line: #dde1e7;
  --well: #f1f3f6; --rail: #c3cad3;
  --yes: #0f6b44; --yes-ground: #e3f4ea; --yes-edge: #1d9a64;
  --no: #a8201a; --no-ground: #fdeae8; --no-edge: #d6382f;
  --ask: #2450c4; --ask-ground: #e8effe; --ask-edge: #4b78ec;
  --care: #7a4a00; --care-ground: #fdf0d6; --care-edge: #d68a00;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1014; --card: #161a20; --ink: #e7eaee; --soft: #9ca7b4; --line: #2a313b;
    --well: #10141a; --rail: #3b4552;
    --yes: #63d8a3; --yes-ground: #10281d; --yes-edge: #2fa872;
    --no: #ff938a; --no-ground: #331817; --no-edge: #e5534b;
    --ask: #93b4ff; --ask-ground: #172440; --ask-edge: #4f7df0;
    --care: #f3bd55; --care-ground: #2d230f; --care-edge: #c98a1b;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
main, .top, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2, h3, p, dl, ol, ul { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.02em; font-weight: 680; }
h2 { font-size: 1.05rem; letter-spacing: -0.005em; font-weight: 650; }
h3 { font-size: 1rem; font-weight: 620; }
ol, ul { padding: 0; list-style: none; }
a { color: var(--ask); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--ask-edge); outline-offset: 3px; border-radius: 4px; }
code, .data, .exact { font-family: var(--mono); font-size: 0.9em; }
.data { overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate; }
.exact { unicode-bidi: isolate-override; }
.prose .data { font-family: inherit; font-size: 1em; }
.esc { white-space: nowrap; color: var(--care); background: var(--care-ground); border-radius: 3px; padding: 0 0.15em; font-family: var(--mono); font-size: 0.86em; }
.cut { color: var(--care); font-size: 0.85em; font-weight: 600; white-space: nowrap; }
.quiet { color: var(--soft); }
.n { text-align: right; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: 0.5rem 1rem; }

.top { padding-top: 2.25rem; padding-bottom: 1.25rem; }
.brand { color: var(--soft); font-size: 0.85rem; font-weight: 600; letter-spacing: 0.02em; margin-bottom: 0.35rem; }
.file { color: var(--soft); margin-top: 0.35rem; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem 1.4rem; margin-bottom: 1.1rem; }
.card > h2 { margin-bottom: 0.6rem; }

.verdict { border-left: 6px solid var(--yes-edge); }
.verdict.care { border-left-color: var(--care-edge); }
.verdict.no { border-left-color: var(--no-edge); }
.verdict .word { font-size: 1.5rem; font-weight: 700; letter-spacing: -0.015em; color: var(--yes); line-height: 1.25; }
.verdict.care .word { color: var(--care); }
.verdict.no .word { color: var(--no); }
.verdict .say { max-width: 46rem; margin: 0.2rem 0 1rem; }
.checks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0.55rem 1.5rem; }
.checks li { display: grid; grid-template-columns: 1.5rem minmax(0, 1fr); align-items: start; }
.checks li:last-child { grid-column: 1 / -1; }
.checks b { font-weight: 620; }
.checks span { display: block; color: var(--soft); font-size: 0.88rem; line-height: 1.45; overflow-wrap: anywhere; }
.sign { font-weight: 700; font-style: normal; }
.ok .sign, .ok-word { color: var(--yes); }
.bad .sign, .bad-word { color: var(--no); font-weight: 650; }
.part .sign, .part-word { color: var(--care); font-weight: 650; }

.fault { background: var(--no-ground); border: 1px solid var(--no-edge); color: var(--ink); border-radius: 10px; padding: 0.9rem 1.1rem; margin: 0 0 1rem; }
.fault .kind { color: var(--no); font-weight: 700; }
.fault .where { font-weight: 620; }
.entry .fault { margin: 0.4rem 0 0; padding: 0.5rem 0.75rem; }
.raw { display: block; background: var(--well); border: 1px solid var(--line); border-radius: 8px; padding: 0.55rem 0.7rem; margin-top: 0.55rem; max-height: 11rem; overflow: auto; font-size: 0.86rem; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.2rem, 1fr)); gap: 0.75rem; margin: 0 0 1.1rem; }
.tile { display: flex; flex-direction: column-reverse; justify-content: flex-end; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 0.8rem 1.1rem; }
.tile dt { color: var(--soft); font-size: 0.84rem; font-weight: 600; }
.tile dd { margin: 0; font-size: 1.9rem; font-weight: 680; letter-spacing: -0.02em; line-height: 1.2; }
.tile.allow dd { color: var(--yes); } .tile.deny dd { color: var(--no); }
.tile.ask dd { color: var(--ask); } .tile.care dd { color: var(--care); }
.tile.none dd { color: var(--soft); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 0.5rem 1.5rem; }
.facts dt { color: var(--soft); font-size: 0.82rem; font-weight: 600; }
.facts dd { margin: 0; max-height: 9rem; overflow: auto; }

.scroll { overflow-x: auto; margin: 0.4rem -0.4rem 0.6rem; padding: 0 0.4rem; }
.picture { display: block; width: 100%; min-width: 40rem; height: auto; font-family: inherit; }
.picture text { fill: var(--ink); font-size: 12px; }
.picture .lane { font-weight: 650; letter-spacing: 0.03em; font-size: 12px; }
.picture .what { fill: var(--soft); font-size: 11px; }
.picture .tick { text-anchor: middle; fill: var(--soft); font-size: 11px; }
.picture .day { font-weight: 650; }
.picture .rail { stroke: var(--line); stroke-width: 1; }
.picture .axis { stroke: var(--rail); stroke-width: 1; }
.picture .gap { stroke: var(--rail); stroke-width: 1; stroke-dasharray: 2 4; }
.picture .allow { fill: var(--yes-edge); } .picture .deny { fill: var(--no-edge); } .picture .odd { fill: var(--care-edge); }
.picture .allow *, .picture .deny *, .picture .odd * { stroke: var(--card); stroke-width: 1.2; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.1rem; align-items: center; font-size: 0.88rem; }
.key::before { content: ""; display: inline-block; width: 0.7rem; height: 0.7rem; margin-right: 0.45rem; }
.key.allow::before { background: var(--yes-edge); border-radius: 50%; }
.key.odd::before { background: var(--care-edge); }
.key.deny::before { background: var(--no-edge); transform: rotate(45deg) scale(0.85); }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th { text-align: left; font-weight: 500; }
thead th { color: var(--soft); font-size: 0.82rem; font-weight: 600; }
td, th { padding: 0.4rem 0.6rem 0.4rem 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; }
td.n, th.n { padding-right: 0; padding-left: 1rem; text-align: right; }

.note { background: var(--care-ground); border: 1px solid var(--care-edge); border-radius: 12px; padding: 0.8rem 1.1rem; margin-bottom: 1.1rem; }
.note b { color: var(--care); }
.note code { overflow-wrap: anywhere; }

nav > details { margin: 0; font-size: inherit; }
.index { margin-top: 0.5rem; }
.index li { display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; align-items: baseline; padding: 0.3rem 0; border-top: 1px solid var(--line); }
.index .chips { margin: 0 0 0 auto; }
.index li .id { color: var(--soft); font-size: 0.86rem; }

.session { padding-bottom: 0.6rem; }
.session > header { border-bottom: 1px solid var(--line); padding-bottom: 0.9rem; margin-bottom: 1.1rem; }
.session h2 { font-size: 1.2rem; }
.session .id { color: var(--soft); font-size: 0.9rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-top: 0.6rem; }
.chip { border-radius: 999px; padding: 0.12rem 0.7rem; font-size: 0.84rem; font-weight: 600; background: var(--well); color: var(--soft); }
.chip.allow { background: var(--yes-ground); color: var(--yes); }
.chip.deny { background: var(--no-ground); color: var(--no); }
.chip.ask { background: var(--ask-ground); color: var(--ask); }
.chip.care { background: var(--care-ground); color: var(--care); }
.session dl.facts { margin-top: 0.8rem; }

.timeline { position: relative; }
.timeline > li { position: relative; padding: 0 0 1.05rem 2rem; }
.timeline > li::before { content: ""; position: absolute; left: 0.53rem; top: 0; bottom: 0; width: 2px; background: var(--line); }
.timeline > li:first-child::before { top: 0.7rem; }
.timeline > li:last-child::before { bottom: auto; height: 0.9rem; }
.entry > .dot { position: absolute; left: 0; top: 0.22rem; width: 1.2rem; height: 1.2rem; border-radius: 50%; display: grid; place-items: center; font-size: 0.72rem; font-weight: 800; line-height: 1; background: var(--card); border: 2px solid var(--rail); color: var(--soft); }
.entry.allow > .dot { border-color: var(--yes-edge); background: var(--yes-ground); color: var(--yes); }
.entry.deny > .dot { border-color: var(--no-edge); background: var(--no-ground); color: var(--no); }
.entry.ask > .dot { border-color: var(--ask-edge); background: var(--ask-ground); color: var(--ask); }
.entry.care > .dot, .entry.wrong > .dot { border-color: var(--care-edge); background: var(--care-ground); color: var(--care); }
.entry.wrong > .dot { border-color: var(--no-edge); background: var(--no-edge); color: var(--card); }
.entry .line1 { display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; align-items: baseline; }
.entry .when { margin-left: auto; color: var(--soft); font-size: 0.84rem; white-space: nowrap; }
.badge { font-size: 0.76rem; font-weight: 750; letter-spacing: 0.04em; text-transform: uppercase; border-radius: 6px; padding: 0.08rem 0.5rem; background: var(--well); color: var(--soft); }
.badge.allow { background: var(--yes-ground); color: var(--yes); }
.badge.deny { background: var(--no-ground); color: var(--no); }
.badge.ask { background: var(--ask-ground); color: var(--ask); }
.badge.care { background: var(--care-ground); color: var(--care); box-shadow: inset 0 0 0 1px var(--care-edge); }
.badge.wrong { background: var(--no-edge); color: var(--card); }
.target { background: var(--well); border: 1px solid var(--line); border-radius: 9px; padding: 0.5rem 0.75rem; margin: 0.4rem 0 0.5rem; max-height: 14rem; overflow: auto; }
.target p { display: grid; grid-template-columns: fit-content(10rem) minmax(0, 1fr); gap: 0.75rem; align-items: baseline; }
.target .exact { font-size: 0.96em; }
.target .k { min-width: 3.6rem; overflow-wrap: anywhere; color: var(--soft); font-size: 0.84rem; }
.entry.deny .target { border-left: 3px solid var(--no-edge); }
.entry.allow .target { border-left: 3px solid var(--yes-edge); }
.entry.ask .target { border-left: 3px solid var(--ask-edge); }
.why { display: grid; grid-template-columns: 6.6rem 1fr; gap: 0.22rem 0.9rem; font-size: 0.92rem; }
.why dt, .why .quiet .data { color: var(--soft); }
.why dd { margin: 0; min-width: 0; }
.channel { font-size: 0.76rem; font-weight: 750; letter-spacing: 0.04em; border: 1px solid var(--rail); border-radius: 6px; padding: 0.02rem 0.4rem; margin-right: 0.25rem; white-space: nowrap; }
.quote { display: block; border-left: 3px solid var(--rail); padding: 0.1rem 0 0.1rem 0.7rem; margin: 0.3rem 0; max-height: 9rem; overflow: auto; }
mark { background: var(--care-ground); color: var(--care); border-radius: 3px; padding: 0 0.1em; }
details { margin-top: 0.35rem; font-size: 0.9rem; }
summary { cursor: pointer; color: var(--soft); width: fit-content; }
summary:hover { color: var(--ink); }
.members { margin: 0.4rem 0 0.2rem; font-size: 0.88rem; table-layout: fixed; }
.members th { width: 13rem; color: var(--soft); overflow-wrap: anywhere; }
.between { color: var(--soft); font-size: 0.86rem; padding-bottom: 0.85rem !important; }
.between::after { content: ""; position: absolute; left: 0.36rem; top: 0.45rem; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--rail); }
.between details { margin-top: 0; font-size: inherit; }
.between p + p { margin-top: 0.1rem; }
footer { color: var(--soft); font-size: 0.86rem; padding-top: 0.4rem; padding-bottom: 3rem; }
footer p + p { margin-top: 0.35rem; }

@media (max-width: 40rem) {
  main, .top, footer { padding-left: 0.8rem; padding-right: 0.8rem; }
  .card { padding: 1rem; border-radius: 12px; }
  .why { grid-template-columns: 1fr; gap: 0 0; }
  .why dd { margin-bottom: 0.35rem; }
  .target p { grid-template-columns: 1fr; gap: 0; }
  .members th { width: 8rem; }
  .timeline > li { padding-left: 1.75rem; }
  .entry .when, .index .chips { margin-left: 0; }
}
@media print {
  :root { --ground: #fff; }
  body { font-size: 10.5pt; }
  body { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .card:not(.verdict), .tile { border-color: #bbb; }
  .entry, .between, .tile, .fault, .note { break-inside: avoid; }
  .target, .raw, .quote { max-height: none; overflow: visible; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .picture { min-width: 0; }
}
)css";

}  // namespace agentlock::cli::report
