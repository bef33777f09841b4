import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { firstWithin } from '../children/waiting.js';
import { handshake } from '../wire/messages.js';

const victim = fileURLToPath(new URL('./client-victim.js', import.meta.url));
/** Milliseconds until a client must have given up. */
const patience = 120_000;
/** Pages of a list that a client may request: the official one requests 64. */
const mostPages = 256;

/**
 * Serves a client that lists the tools, and attacks it. The client must end by itself with the error of a limit.
 *
 * @param {import('./client-attacks.js').ClientAttack} attack
 * @param {{ heap: number }} options
 * @returns {Promise<string | undefined>} the failure
 */
export async function attackClient(attack, { heap }) {
  let pages = 0;
  const server = createServer(async (request, response) => {
    const { id, method } = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    if (id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else {
      const result = method === 'initialize' ? opening : attack.result(pages++);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const args = [`--max-old-space-size=${heap}`, victim, `http://127.0.0.1:${port}/mcp`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const ended = Promise.all([once(child, 'exit'), text(child.stdout)]);
    const end = await firstWithin(ended, patience, undefined);
    if (end === undefined) return `the client had not given up after ${patience / 1_000} s`;
    const [[code, signal], said] = end;
    if (code !== 0) return `the client ended by itself (${code ?? signal})`;
    if (pages > mostPages) return `the client requested ${pages} pages`;
    return /^SessionError limit: ./.test(said) ? undefined : `the client said: ${said.slice(0, 200)}`;
  } finally {
    child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
}

const opening = {
  protocolVersion: handshake,
  capabilities: { tools: {} },
  serverInfo: { name: 'attacker', version: '1.0.0' },
};
