// The OpenAI Agents SDK: an agent with a model behind the Responses API.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Agent, MCPServerStdio, OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents';

import { assertStory, kDenialScript, kTools } from './denial.mjs';
import { responses } from './dialects.mjs';
import { startModel } from './model.mjs';
import { kServerName, makeWorld } from './world.mjs';

setTracingDisabled(true);

test('OpenAI Agents shows its model why the address is refused', async (context) => {
  const world = await makeWorld(context);
  const model = await startModel(context, responses, kDenialScript);
  const server = new MCPServerStdio({ name: kServerName, ...world.server });
  await server.connect();
  world.atEnd(() => server.close());

  const agent = new Agent({ name: 'Reader', model: 'scripted', mcpServers: [server] });
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${model.url}/v1` });
  const runner = new Runner({ modelProvider });
  const { finalOutput } = await runner.run(agent, 'Open the data source of the article.');

  assert.equal(finalOutput, 'The source was not opened.');
  assert.deepEqual(model.seen().tools, kTools);
  assertStory(model.seen().results, world.origins, 'unavailable');
  await server.close();
  await world.log.verify();
});
