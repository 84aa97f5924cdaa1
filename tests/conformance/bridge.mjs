// Streamable HTTP in front of a stdio server, for a suite that speaks nothing else.
//
// The handshake era: each `initialize` starts a server of its own, which is the HTTP
// session. The stateless era: one server for all requests of all clients, so that a
// server that pins its pipe to one of them is found out. What HTTP alone asks for
// (headers, status codes, the Host check) is done here, so it says nothing about the
// server; see expected-failures.yml.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { StdioServer } from './stdio_server.mjs';

const kVersionKey = 'io.modelcontextprotocol/protocolVersion';
const kHeaderMismatch = -32020;
const kBadRequest = new Set([-32700, -32600, -32602, kHeaderMismatch, -32021, -32022]);

const rpcError = (id, code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });

function statusOf(message, stateless) {
  if (!stateless || !message.error) return 200;
  if (message.error.code === -32601) return 404;
  return kBadRequest.has(message.error.code) ? 400 : 200;
}

/** The stateless era's mirrored headers: what is wrong with them, or nothing. */
function headerMismatch(headers, message) {
  const told = (name) => {
    const value = headers[name];
    const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? '');
    return encoded ? Buffer.from(encoded[1], 'base64').toString() : value;
  };
  const version = message.params?._meta?.[kVersionKey];
  const pairs = [
    ['mcp-protocol-version', version],
    ['mcp-method', message.method],
    ['mcp-name', { 'tools/call': message.params?.name }[message.method]],
  ];
  for (const [name, inBody] of pairs) {
    if (inBody !== undefined && told(name) !== inBody) {
      return `the header ${name} and the body do not say the same`;
    }
  }
  return undefined;
}

class HttpExchange {
  constructor(response, stateless) {
    this.response = response;
    this.stateless = stateless;
  }
  stream(message) {
    if (!this.response.headersSent) {
      this.response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
    }
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
  finish(message) {
    if (!this.response.headersSent) {
      const body = JSON.stringify(message);
      this.response.writeHead(statusOf(message, this.stateless), {
        'content-type': 'application/json',
      });
      this.response.end(body);
    } else {
      this.stream(message);
      this.response.end();
    }
  }
}

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function isLocal(value) {
  return /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(value);
}

/**
 * @param {string[]} command the stdio server, with its arguments
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function startBridge(command, env) {
  const sessions = new Map();
  const shared = new StdioServer(command, env);

  function forward(server, message, response, stateless) {
    if (message.method === undefined || message.id === undefined) {
      server.send(message);
      return response.writeHead(202).end();
    }
    const exchange = new HttpExchange(response, stateless);
    const key = server.request(message, {
      stream: (sent) => exchange.stream(sent),
      finish: (sent) => exchange.finish(sent),
    });
    response.on('close', () => (stateless ? server.cancel(key) : server.forget(key)));
  }

  function refuse(response, status, message) {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(message));
  }

  async function post(request, response) {
    let message;
    try {
      message = JSON.parse(await bodyOf(request));
    } catch {
      return refuse(response, 400, rpcError(undefined, -32700, 'this is no JSON'));
    }
    const id = request.headers['mcp-session-id'];
    const envelope = message.params?._meta?.[kVersionKey] !== undefined;
    if (message.method === 'initialize' && !envelope) {
      const session = randomUUID();
      sessions.set(session, new StdioServer(command, env));
      response.setHeader('mcp-session-id', session);
      return forward(sessions.get(session), message, response, false);
    }
    if (id !== undefined && !envelope) {
      const session = sessions.get(id);
      if (!session) return refuse(response, 404, rpcError(message.id, -32600, 'no such session'));
      return forward(session, message, response, false);
    }
    const mismatch = headerMismatch(request.headers, message);
    if (mismatch) return refuse(response, 400, rpcError(message.id, kHeaderMismatch, mismatch));
    return forward(shared, message, response, true);
  }

  async function remove(request, response) {
    const id = request.headers['mcp-session-id'];
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.close();
    response.writeHead(session ? 200 : 404).end();
  }

  const http = createServer((request, response) => {
    const { host = '', origin } = request.headers;
    if (!isLocal(host) || (origin !== undefined && !isLocal(origin))) {
      return response.writeHead(403).end();
    }
    const handler = { POST: post, DELETE: remove }[request.method];
    if (!handler) return response.writeHead(405, { allow: 'POST, DELETE' }).end();
    return handler(request, response).catch((error) => {
      console.error(`bridge: ${error.stack}`);
      response.destroy();
    });
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    async close() {
      http.closeAllConnections();
      http.close();
      await Promise.all([shared, ...sessions.values()].map((server) => server.close()));
    },
  };
}
