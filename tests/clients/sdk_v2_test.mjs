// The official TypeScript SDK, version 2: both eras, and the probe of a second copy of
// the server that `auto` makes.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { kAnswers, personWho } from './asking.mjs';
import { assertDenied, kTools } from './denial.mjs';
import { assertBothFaces, play } from './direct.mjs';
import { makeWorld } from './world.mjs';

const kModes = [
  { mode: 'legacy', revision: '2025-11-25' },
  { mode: 'auto', revision: '2026-07-28' },
  { mode: { pin: '2026-07-28' }, revision: '2026-07-28' },
];

async function connect(world, mode, person) {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: person ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode },
    },
  );
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person.reply(params));
  await client.connect(new StdioClientTransport(world.server));
  world.atEnd(() => client.close());
  return client;
}

for (const { mode, revision } of kModes) {
  const name = `SDK v2 (${mode.pin ? `pinned to ${mode.pin}` : mode})`;

  test(`${name} lists the tools and is told why the address is refused`, async (context) => {
    const world = await makeWorld(context);
    const client = await connect(world, mode);
    assert.equal(client.getNegotiatedProtocolVersion(), revision);
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

  for (const answer of kAnswers) {
    test(`${name} ${answer.title}`, async (context) => {
      const world = await makeWorld(context);
      const person = personWho(answer);
      const client = await connect(world, mode, person);
      const results = await play((call) => client.callTool(call));
      person.assertAsked();
      answer.check(results[2], world.origins);
    });
  }
}
