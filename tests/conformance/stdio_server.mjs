// A stdio MCP server as a child process, and who of its clients each message is for.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const isId = (id) => typeof id === 'string' || Number.isInteger(id);

/**
 * One request that waits for its answer. `stream(message)` is given what comes before
 * it, `finish(message)` the answer itself.
 * @typedef {{message: object, stream: (message: object) => void,
 *            finish: (message: object) => void}} Exchange
 */
export class StdioServer {
  /** Keyed by the id on the pipe, in the order of arrival. @type {Map<unknown, Exchange>} */
  #waiting = new Map();
  #child;
  #spare = 0;

  /** @param {string[]} command the program and its arguments */
  constructor([program, ...args], env) {
    this.#child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {});
    createInterface({ input: this.#child.stdout }).on('line', (line) =>
      this.#receive(JSON.parse(line)),
    );
    this.ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.ended.then(() => {
      for (const exchange of this.#waiting.values()) {
        exchange.finish({
          jsonrpc: '2.0',
          id: exchange.message.id,
          error: { code: -32603, message: 'the server ended before it answered' },
        });
      }
    });
  }

  /** Sends a request. Several clients share the pipe: an id that is taken is replaced. */
  request(message, exchange) {
    let key = isId(message.id) ? message.id : undefined;
    while (this.#waiting.has(key)) key = `bridge-${++this.#spare}`;
    this.#waiting.set(key, { message, ...exchange });
    this.send(key === undefined ? message : { ...message, id: key });
    return key;
  }

  /** Sends what is never answered: a notification, or the answer to a server's request. */
  send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** The client has gone; its request is cancelled. */
  cancel(key) {
    if (!this.#waiting.delete(key)) return;
    this.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: key, reason: 'the client closed its stream' },
    });
  }

  /** Nobody reads the answer of this request any more. */
  forget(key) {
    this.#waiting.delete(key);
  }

  /** Ends as clients do: closes standard input. Killed if that is not enough. */
  async close() {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await this.ended;
    clearTimeout(timer);
  }

  #receive(message) {
    if (message.method !== undefined) return this.#exchangeOf(message)?.stream(message);
    const exchange = this.#waiting.get(message.id);
    if (!exchange) return;
    this.#waiting.delete(message.id);
    exchange.finish('id' in message ? { ...message, id: exchange.message.id } : message);
  }

  // Progress names its request by the token. What names none belongs, over a pipe, to
  // the call that is running: the latest.
  #exchangeOf(message) {
    const exchanges = [...this.#waiting.values()];
    const token = message.params?.progressToken;
    if (message.method === 'notifications/progress') {
      return exchanges.findLast((each) => each.message.params?._meta?.progressToken === token);
    }
    const subscription = message.params?._meta?.['io.modelcontextprotocol/subscriptionId'];
    return this.#waiting.get(subscription) ?? exchanges.at(-1);
  }
}
