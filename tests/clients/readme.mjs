// What the README tells people to type, with the placeholders filled in.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

/** The fenced block that starts with `start`. */
async function readmeBlock(start) {
  const readme = await readFile(process.env.AGENTLOCK_README, 'utf8');
  const block = readme
    .split(/^```\w*\n/m)
    .find((each) => each.startsWith(start));
  assert.ok(block, `the README has no block that starts with ${start}`);
  return block;
}

const fillIn = (text, { env }, command) =>
  text
    .replaceAll('/path/to/agentlock-browser', command)
    .replaceAll('https://docs.example.com', env.AGENTLOCK_BROWSER_ALLOWLIST)
    .replaceAll('Look up release 4.2 on docs.example.com', env.AGENTLOCK_BROWSER_OPERATOR_TEXT);

/** The `claude mcp add` command. */
export async function claudeCommand(server) {
  const command = [server.command, ...server.args].join(' ');
  return fillIn(await readmeBlock('claude mcp add '), server, command);
}

/** The `mcpServers` entry, as JSON. */
export async function serversEntry(server) {
  const filled = JSON.parse(fillIn(await readmeBlock('{\n  "mcpServers"'), server, server.command));
  for (const each of Object.values(filled.mcpServers)) each.args = server.args;
  return JSON.stringify(filled);
}
