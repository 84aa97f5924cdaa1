// The official TypeScript SDK, version 1: the handshake era.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

import { kAnswers, personWho } from './asking.mjs';
import { assertDenied, assertFailed, kTools } from './denial.mjs';
import { assertBothFaces, play } from './direct.mjs';
import { makeWorld } from './world.mjs';

async function connect(world, person) {
  const capabilities = person ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person.reply(params));
  await client.connect(new StdioClientTransport(world.server));
  world.atEnd(() => client.close());
  return client;
}

test('SDK v1 lists the tools and is told why the address is refused', async (context) => {
  const world = await makeWorld(context);
  const client = await connect(world);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name),
    kTools,
  );
  const results = await play((call) => client.callTool(call));
  results.forEach(assertBothFaces);
  assertDenied(results[2], 'unavailable');
  assert.deepEqual(world.origins.fixture.hits, ['/article']);
  assert.deepEqual(world.origins.evil.hits, []);
  await client.close();
  await world.log.verify();
});

test('SDK v1 gets the sentence of a call that breaks the schema', async (context) => {
  const client = await connect(await makeWorld(context));
  // With the tools listed it checks results against their schemas, failures too.
  await client.listTools();
  const result = await client.callTool({ name: 'navigate', arguments: {} });
  assert.equal(result.isError, true);
  assertFailed(result.content);
});

for (const answer of kAnswers) {
  test(`SDK v1 ${answer.title}`, async (context) => {
    const world = await makeWorld(context);
    const person = personWho(answer);
    const client = await connect(world, person);
    const results = await play((call) => client.callTool(call));
    person.assertAsked();
    answer.check(results[2], world.origins);
  });
}
