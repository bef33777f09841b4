// The programs of the guide on MCP Apps: a page connects to the server, and shows its app in the sandbox.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { toNodeHandler } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundled, documentOf } from './apps/stage.js';
import { complaintsOf, openPage, startChromium } from './chromium.js';

/** The built programs: the server builds its view from the file beside it. */
const programs = new URL('../../examples/dist/extensions/', import.meta.url);
/** @type {{ server: typeof import('examples/extensions/apps-server').server }} */
const { server } = await import(new URL('apps-server.js', programs).href);
/** A user who agrees to everything that the page asks. */
const agreeing = 'window.asked = []; window.confirm = (text) => window.asked.push(text) > 0';
/** @type {import('playwright-core').Browser | undefined} */
let chromium;
/** @type {import('node:http').Server} */
let host;
/** @type {import('node:child_process').ChildProcess} */
let sandbox;

const ports = { host: 0, sandbox: 0 };

beforeAll(async () => {
  // A port that is free now: the sandbox is a program that takes it from its environment.
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  ports.sandbox = portOf(probe);
  probe.close();
  await once(probe, 'close');
  const [script, inHost] = await Promise.all(
    ['apps-host.js', 'apps-many-servers.js'].map((name) => bundled(new URL(name, programs))),
  );
  const handle = toNodeHandler(server);
  host = createServer((request, response) => {
    if (request.url === '/mcp') return void handle(request, response);
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      documentOf(String(request.url === '/' ? script : inHost)).replace(
        '<body>',
        `<body data-sandbox="http://127.0.0.1:${ports.sandbox}/"><script>${agreeing}</script>`,
      ),
    );
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  ports.host = portOf(host);
  const program = fileURLToPath(new URL('apps-sandbox.js', programs));
  const env = { ...process.env, HOSTS: `http://127.0.0.1:${ports.host}`, PORT: `${ports.sandbox}` };
  sandbox = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (sandbox.stdout !== null) await once(sandbox.stdout, 'data');
  chromium = await startChromium();
}, 60_000);

afterAll(async () => {
  await chromium?.close();
  sandbox.kill();
  host.closeAllConnections();
  host.close();
  await server.close();
}, 30_000);

/** @param {import('node:http').Server} server */
function portOf(server) {
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

it.each([
  ['/', []],
  [
    '/many-servers',
    [
      'The chat of weather wants: tool forecast {"city":"Oslo"}',
      'The app of weather wants: tool refresh {"city":"Oslo"}',
    ],
  ],
])(
  'shows the result of a tool in its interface, which calls another tool: %s',
  async (path, asked) => {
    const page = await openPage(chromium);
    const complaints = complaintsOf(page);
    await page.goto(`http://127.0.0.1:${ports.host}${path}`);
    /** @param {string} expression */
    const evaluate = (expression) => evaluateInFrames(page, expression);
    const list = "document.querySelector('ul')?.textContent";
    expect(await evaluate(list)).toBe('3°5°4°');
    await evaluate("document.querySelector('button')?.click() ?? document.querySelector('button') !== null");
    expect(await evaluate(`${list} === '4°6°5°'`)).toBe(true);
    expect(await page.evaluate('window.asked')).toEqual(asked);
    expect(complaints).toEqual([]);
  },
  60_000,
);

/**
 * Evaluates an expression in every frame, again and again, until one of them has a value.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} expression
 * @returns {Promise<any>}
 */
async function evaluateInFrames(page, expression) {
  for (;;) {
    for (const frame of page.frames()) {
      // A frame may have ended.
      const value = await frame.evaluate(expression).catch(() => undefined);
      if (value) return value;
    }
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))');
  }
}
