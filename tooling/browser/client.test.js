// The client in a page: bundled by esbuild and by Vite, run by Chromium, connected to a server of another origin.
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundlers, gzippedKiB, scriptsIn } from './bundles.js';
import { complaintsOf, openPage, startChromium } from './chromium.js';
import { PageServer } from './page-server.js';

const types = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
]);
/** The most gzipped KiB that a page may load until its first call is answered. @type {Record<string, number>} */
const most = { esbuild: 88, Vite: 74 };
const server = new PageServer();
/** The servers of the pages by bundler name. A POST to one cuts the connections of the MCP server. */
const pages = new Map([...bundlers.keys()].map((name) => [name, servePage(name)]));
/** @type {import('playwright-core').Browser | undefined} */
let chromium;
let folder = '';
let mcp = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-page-'));
  for (const [name, bundle] of bundlers) await bundle(join(folder, name));
  for (const page of pages.values()) {
    page.listen(0, '127.0.0.1');
    await once(page, 'listening');
  }
  mcp = await server.listen([...pages.values()].map(originOf));
  chromium = await startChromium();
}, 60_000);

afterAll(async () => {
  await chromium?.close();
  await server.close();
  for (const page of pages.values()) {
    page.closeAllConnections();
    page.close();
  }
  await rm(folder, { recursive: true, force: true });
}, 30_000);

/** @param {string} bundler */
function servePage(bundler) {
  return createServer(async (request, response) => {
    const { method, url = '/' } = request;
    if (method === 'POST') {
      server.cut();
      return response.writeHead(204).end();
    }
    const path = new URL(url, 'http://localhost').pathname;
    // Chromium asks for the icon once per origin, at a moment of its own choice.
    if (path === '/favicon.ico') return response.writeHead(204).end();
    const file = join(folder, bundler, path === '/' ? 'index.html' : normalize(path));
    const type = types.get(extname(file));
    if (type === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': type }).end(await readFile(file));
  });
}

/** @param {import('node:http').Server | undefined} page */
function originOf(page) {
  const address = page?.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe.each([...bundlers.keys()])('a page bundled with %s', (bundler) => {
  /**
   * Evaluates an expression on a new page.
   *
   * @param {string} expression
   */
  async function evaluate(expression) {
    const page = await openPage(chromium);
    const complaints = complaintsOf(page);
    await page.goto(originOf(pages.get(bundler)));
    server.requests.length = 0;
    /** @type {any} */
    const value = await page.evaluate(expression);
    return { value, complaints };
  }

  /** @param {{ revision: string, tool: string, onProgress?: string }} call */
  const called = (call) => evaluate(`page.call(${JSON.stringify(mcp)}, ${JSON.stringify(call)})`);

  it.each(['2024-11-05', '2025-11-25', '2026-07-28'])('calls a tool in %s', async (revision) => {
    const { value, complaints } = await called({ revision, tool: 'hello' });
    expect(value).toMatchObject({ text: '[{"type":"text","text":"hello"}]', revision });
    expect(complaints).toEqual([]);
  });

  it('loads no script that a first call does not need', async () => {
    const call = JSON.stringify({ revision: '2026-07-28', tool: 'hello' });
    const { value } = await evaluate(
      `page.call(${JSON.stringify(mcp)}, ${call}).then(() => performance.getEntriesByType('resource').map(({ name }) => name))`,
    );
    const scripts = await scriptsIn(join(folder, bundler));
    const loaded = [...scripts].filter(([name]) =>
      value.some((/** @type {string} */ url) => url.endsWith(name)),
    );
    expect(loaded).not.toEqual([]);
    expect(gzippedKiB(loaded.map(([, text]) => text))).toBeLessThan(most[bundler] ?? 0);
  });

  it.each(['2025-11-25', '2026-07-28'])('answers an input request in %s', async (revision) => {
    const { value, complaints } = await called({ revision, tool: 'ask' });
    expect(value).toMatchObject({ text: '[{"type":"text","text":"off to Oslo"}]', revision });
    expect(complaints).toEqual([]);
  });

  it('resumes the stream of a call when the connection breaks', async () => {
    const onProgress = originOf(pages.get(bundler));
    const { value } = await called({ revision: '2025-11-25', tool: 'cut_off', onProgress });
    expect(value).toMatchObject({ text: '[{"type":"text","text":"whole"}]', progress: [1, 2] });
    expect(server.requests).toContain('GET resumed');
  });

  it('rejects a command with a TypeError', async () => {
    const { value, complaints } = await evaluate('page.start()');
    expect(value).toContain('TypeError: A browser cannot start the program "node"');
    expect(complaints).toEqual([]);
  });
});
