// What one case stands on: origins, a home folder of its own, and how a client is told
// to start the binary. Everything goes away with the case.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { DecisionLog } from './decision_log.mjs';
import { startOrigins } from './origins.mjs';

/** The real binary; `./run clients` says which. */
export const kBinary = process.env.AGENTLOCK_BINARY;
assert.ok(kBinary, 'AGENTLOCK_BINARY must name the binary');

/** The server's name in the clients' configuration, as in the README. */
export const kServerName = 'agentlock-browser';

/**
 * @param {import('node:test').TestContext} context ends with the case
 */
export async function makeWorld(context) {
  const closers = [];
  context.after(async () => {
    const closed = [];
    for (const close of closers.reverse()) closed.push(...(await Promise.allSettled([close()])));
    for (const { reason } of closed) if (reason) throw reason;
  });
  const home = await mkdtemp(path.join(tmpdir(), 'agentlock-client-'));
  closers.push(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const log = new DecisionLog(kBinary, home);
  closers.push(() => log.ended());
  const origins = await startOrigins();
  closers.push(() => origins.close());
  const env = {
    HOME: home,
    PATH: process.env.PATH,
    AGENTLOCK_BROWSER_ALLOWLIST: 'http://fixture.test',
    AGENTLOCK_BROWSER_OPERATOR_TEXT: 'Open the data source of the article.',
  };
  return {
    home,
    origins,
    /** Has something closed at the end, before all that was there before it. */
    atEnd: (close) => closers.push(close),
    /** As in a client's `mcpServers`. */
    server: { command: kBinary, args: origins.flags, env },
    log,
  };
}
