// Claude Code, set up as the README says.
import assert from 'node:assert/strict';
import test from 'node:test';

import { kAnswers, personWho } from './asking.mjs';
import { makeClaudeCode } from './claude_code.mjs';
import { assertElements, assertOpened, assertStory, kDenialScript, kTools } from './denial.mjs';
import { messages } from './dialects.mjs';
import { startModel } from './model.mjs';
import { claudeCommand, serversEntry } from './readme.mjs';
import { kBinary, kServerName, makeWorld } from './world.mjs';

const kPrefix = `mcp__${kServerName}__`;
const kAsk = `claude -p "Open the data source of the article." --allowedTools mcp__${kServerName}`;

const ownTools = (tools) =>
  tools.filter((name) => name.startsWith(kPrefix)).map((name) => name.slice(kPrefix.length));

test('claude mcp add, as the README has it, leaves a server that list and get find connected', async (context) => {
  const world = await makeWorld(context);
  const claude = await makeClaudeCode(world);
  await claude.shell(await claudeCommand(world.server));
  assert.match(await claude.shell('claude mcp list'), /agentlock-browser: .*Connected/);
  const shown = await claude.shell(`claude mcp get ${kServerName}`);
  assert.match(shown, /Connected/);
  assert.ok(shown.includes(kBinary));
  assert.match(shown, /AGENTLOCK_BROWSER_ALLOWLIST=/);
});

test('Claude Code shows its model why the address is refused', async (context) => {
  const world = await makeWorld(context);
  const model = await startModel(context, messages, kDenialScript);
  const claude = await makeClaudeCode(world, model.url);
  await claude.shell(await claudeCommand(world.server));
  assert.equal((await claude.shell(kAsk)).trim(), 'The source was not opened.');
  assert.deepEqual(ownTools(model.seen().tools).toSorted(), kTools.toSorted());
  // With nobody at the terminal it declares that it can be asked, and then cancels.
  assertStory(model.seen().results, world.origins, 'cancelled');
  // It ends its servers with SIGINT, SIGTERM and SIGKILL within half a second.
  await world.log.verify();
});

for (const answer of kAnswers) {
  // The entry of mcpServers that the README has, for once.
  test(`Claude Code, by mcpServers, ${answer.title}`, async (context) => {
    const world = await makeWorld(context);
    const model = await startModel(context, messages, kDenialScript);
    const claude = await makeClaudeCode(world, model.url);
    const person = personWho(answer);
    const questions = await claude.answerBy(answer.answer);
    await claude.shell(`${kAsk} --mcp-config '${await serversEntry(world.server)}'`);
    (await questions()).forEach((params) => person.reply(params));
    const [opened, looked, asked] = model.seen().results;
    assertOpened(opened);
    assertElements(looked);
    person.assertAsked();
    answer.check(asked, world.origins);
    await world.log.verify();
  });
}
