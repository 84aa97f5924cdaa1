// The Vercel AI SDK with its own MCP client, the only one here that rests on no
// official SDK.
import assert from 'node:assert/strict';
import test from 'node:test';

import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';

import { kAnswers, personWho } from './asking.mjs';
import { assertElements, assertOpened, assertStory, kDenialScript, kTools } from './denial.mjs';
import { chatCompletions } from './dialects.mjs';
import { startModel } from './model.mjs';
import { makeWorld } from './world.mjs';

async function runAgent(world, model, person) {
  const client = await createMCPClient({
    transport: new StdioMCPTransport(world.server),
    capabilities: person ? { elicitation: { form: {} } } : undefined,
  });
  world.atEnd(() => client.close());
  if (person) {
    client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => person.reply(params));
  }
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: `${model.url}/v1` });
  const { text } = await generateText({
    model: provider('scripted'),
    tools: await client.tools(),
    stopWhen: isStepCount(6),
    prompt: 'Open the data source of the article.',
  });
  await client.close();
  return text;
}

test('Vercel AI shows its model why the address is refused', async (context) => {
  const world = await makeWorld(context);
  const model = await startModel(context, chatCompletions, kDenialScript);
  assert.equal(await runAgent(world, model), 'The source was not opened.');
  assert.deepEqual(model.seen().tools, kTools);
  assertStory(model.seen().results, world.origins, 'unavailable');
  await world.log.verify();
});

for (const answer of kAnswers) {
  test(`Vercel AI ${answer.title}`, async (context) => {
    const world = await makeWorld(context);
    const model = await startModel(context, chatCompletions, kDenialScript);
    const person = personWho(answer);
    await runAgent(world, model, person);
    const [opened, looked, asked] = model.seen().results;
    assertOpened(opened);
    assertElements(looked);
    person.assertAsked();
    answer.check(asked, world.origins);
  });
}
