// LangChain's MCP adapters with an agent of LangGraph.
import assert from 'node:assert/strict';
import test from 'node:test';

import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';

import { assertStory, kDenialScript, kTools } from './denial.mjs';
import { chatCompletions } from './dialects.mjs';
import { startModel } from './model.mjs';
import { kServerName, makeWorld } from './world.mjs';

test('LangChain shows its model why the address is refused', async (context) => {
  const world = await makeWorld(context);
  const model = await startModel(context, chatCompletions, kDenialScript);
  const client = new MultiServerMCPClient({
    mcpServers: { [kServerName]: { transport: 'stdio', ...world.server } },
  });
  world.atEnd(() => client.close());

  const llm = new ChatOpenAI({
    model: 'scripted',
    apiKey: 'none',
    configuration: { baseURL: `${model.url}/v1` },
  });
  const agent = createReactAgent({ llm, tools: await client.getTools() });
  const { messages } = await agent.invoke({
    messages: [{ role: 'user', content: 'Open the data source of the article.' }],
  });

  assert.equal(messages.at(-1).content, 'The source was not opened.');
  assert.deepEqual(model.seen().tools, kTools);
  assertStory(model.seen().results, world.origins, 'unavailable');
  await client.close();
  await world.log.verify();
});
