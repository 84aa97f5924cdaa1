// A model that is a script: the Messages API on a port of 127.0.0.1, as far as the client
// needs it. `steps` are what the model says, one for each request of the main session.

import { createServer } from "node:http";

const chunks = function* (id, blocks) {
  const stop = blocks.some((b) => b.type === "tool_use") ? "tool_use" : "end_turn";
  const message = { id, type: "message", role: "assistant", model: "script", content: [] };
  yield ["message_start", { message: { ...message, stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } } }];
  for (const [index, block] of blocks.entries()) {
    const isText = block.type === "text";
    yield ["content_block_start", { index, content_block: isText ? { type: "text", text: "" } : { type: "tool_use", id: `${id}_${index}`, name: block.name, input: {} } }];
    yield ["content_block_delta", { index, delta: isText ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json: JSON.stringify(block.input) } }];
    yield ["content_block_stop", { index }];
  }
  yield ["message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } }];
  yield ["message_stop", {}];
};

export const say = (text) => [{ type: "text", text }];
export const call = (name, input) => [{ type: "tool_use", name, input }];

export class Model {
  /** What the client sent, as text, in order. */
  requests = [];
  #steps;
  #done;
  #server;

  constructor(steps) {
    this.#steps = [...steps];
    /** Resolved when the last step was given. */
    this.finished = new Promise((resolve) => (this.#done = resolve));
  }

  async listen() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => this.#answer(request.url, body, response));
    });
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(url, body, response) {
    this.requests.push(body);
    if (!url.startsWith("/v1/messages") || url.includes("count_tokens")) {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end('{"input_tokens":1}');
    }
    const asked = JSON.parse(body);
    // Titles and the like are asked for without tools.
    const blocks = (asked.tools?.length && this.#steps.shift()) || say("done");
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const [type, data] of chunks(`msg_${this.requests.length}`, blocks)) {
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    }
    response.end();
    if (this.#steps.length === 0) this.#done();
  }
}
