// A model that follows a script, behind a local endpoint, and remembers what the
// client showed it.
import { createServer } from 'node:http';

const asText = (result) => (typeof result === 'string' ? result : JSON.stringify(result));

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString() || '{}');
}

/**
 * @param {import('node:test').TestContext} context ends with the case
 * @param {object} dialect one of dialects.mjs
 * @param {Array<(results: string[]) => {tool: string, arguments: object} | {say: string}>}
 *   script one turn for each number of tool results that the model has been shown
 * @returns {Promise<{url: string, seen: () => {tools: string[], results: unknown[]}}>}
 *   `seen` gives what the model was offered and shown in the last request with tools
 */
export async function startModel(context, dialect, script) {
  const seen = { tools: [], results: [], faults: [] };

  // Clients prefix a tool's name with the server's.
  function nextTurn({ tools, results }) {
    Object.assign(seen, { tools, results });
    const turn = script[results.length](results.map(asText));
    if (turn.say) return turn;
    const offered = tools.find((name) => name === turn.tool || name.endsWith(`__${turn.tool}`));
    if (!offered) throw new Error(`no tool ${turn.tool} is offered: ${tools}`);
    return { tool: offered, arguments: turn.arguments };
  }

  const http = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://model');
    const body = await bodyOf(request);
    if (request.method !== 'POST' || pathname !== dialect.path) {
      return response.writeHead(404).end('{}');
    }
    const conversation = dialect.read(body);
    // Clients also have titles and the like made, without any tools.
    if (conversation.tools.length === 0) return dialect.write(response, body, { say: 'Nothing.' });
    try {
      return dialect.write(response, body, nextTurn(conversation));
    } catch (fault) {
      // The case must fail with the reason, and the client must come to its end.
      seen.faults.push(fault);
      return dialect.write(response, body, { say: `The script can't go on: ${fault.message}` });
    }
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    http.closeAllConnections();
    http.close();
  });
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    /** Throws what stopped the script. */
    seen() {
      if (seen.faults.length > 0) throw seen.faults[0];
      return seen;
    },
  };
}
