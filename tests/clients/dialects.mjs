// The three ways in which the clients talk to their model. `read` gives the tools that
// the model is offered and the tool results that it is shown, as they came; `write`
// answers with a text or with the call of a tool.
import { randomUUID } from 'node:crypto';

function sendJson(response, body) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendEvents(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

/** Anthropic, "Messages". */
export const messages = {
  path: '/v1/messages',
  read: ({ tools = [], messages: turns }) => ({
    tools: tools.map((tool) => tool.name),
    results: turns
      .flatMap((turn) => (Array.isArray(turn.content) ? turn.content : []))
      .filter((block) => block.type === 'tool_result')
      .map((block) => block.content),
  }),
  write(response, { model, stream }, turn) {
    const id = `toolu_${randomUUID()}`;
    const block = turn.tool
      ? { type: 'tool_use', id, name: turn.tool, input: turn.arguments }
      : { type: 'text', text: turn.say };
    const message = {
      id: `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [block],
      stop_reason: turn.tool ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    if (!stream) return sendJson(response, message);
    const delta = turn.tool
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.arguments) }
      : { type: 'text_delta', text: turn.say };
    return sendEvents(response, [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: turn.tool ? { ...block, input: {} } : { type: 'text', text: '' },
      },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: message.stop_reason, stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ]);
  },
};

/** OpenAI, "Chat Completions", without streaming. */
export const chatCompletions = {
  path: '/v1/chat/completions',
  read: ({ tools = [], messages: turns }) => ({
    tools: tools.map((tool) => tool.function.name),
    results: turns.filter((turn) => turn.role === 'tool').map((turn) => turn.content),
  }),
  write(response, { model }, turn) {
    const call = turn.tool && {
      id: `call_${randomUUID()}`,
      type: 'function',
      function: { name: turn.tool, arguments: JSON.stringify(turn.arguments) },
    };
    sendJson(response, {
      id: `chatcmpl-${randomUUID()}`,
      object: 'chat.completion',
      created: 0,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: turn.say ?? null,
            ...(call && { tool_calls: [call] }),
          },
          finish_reason: call ? 'tool_calls' : 'stop',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  },
};

/** OpenAI, "Responses", without streaming. */
export const responses = {
  path: '/v1/responses',
  read: ({ tools = [], input }) => ({
    tools: tools.map((tool) => tool.name),
    results: (Array.isArray(input) ? input : [])
      .filter((item) => item.type === 'function_call_output')
      .map((item) => item.output),
  }),
  write(response, { model }, turn) {
    const item = turn.tool
      ? {
          type: 'function_call',
          id: `fc_${randomUUID()}`,
          call_id: `call_${randomUUID()}`,
          name: turn.tool,
          arguments: JSON.stringify(turn.arguments),
          status: 'completed',
        }
      : {
          type: 'message',
          id: `msg_${randomUUID()}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: turn.say, annotations: [] }],
        };
    sendJson(response, {
      id: `resp_${randomUUID()}`,
      object: 'response',
      created_at: 0,
      status: 'completed',
      model,
      output: [item],
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        total_tokens: 2,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    });
  },
};
