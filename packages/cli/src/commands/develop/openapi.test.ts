import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, textOf } from '@tenon/mcp-client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';

const operation = (operationId: string, tag: string, more: object = {}) => ({
  ...{ operationId, tags: [tag], summary: `Runs the operation ${operationId}`, responses: {} },
  ...more,
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Pet shop', version: '1' },
  servers: [{ url: 'https://pets.example/v1' }],
  paths: {
    '/pets': { get: operation('listPets', 'pets'), post: operation('addPet', 'pets') },
    '/shops': { get: operation('listShops', 'shops\u001b[31m'), head: operation('headShops', 'shops') },
    '/old': { get: operation('old', 'pets', { deprecated: true }) },
  },
};

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  file = join(folder, 'pets.json');
  writeFileSync(file, JSON.stringify(document));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function startApi(body: object): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['x-key'] ?? ''}`.trim());
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('lists tools by group with their cost, skipped operations with reasons, and findings', async () => {
  const { code, stdout } = await runTenon(['openapi', file]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^pets: about \d+ tokens\n {2}tool +tokens {2}operation\n {2}listPets +\d+ +GET \/pets\n {2}addPet/,
  );
  expect(stdout).toContain(
    '2 skipped operations\n  HEAD /shops: responses to HEAD have no content\n  GET /old: it is deprecated\n',
  );
  expect(stdout).toMatch(/pet-shop .*: 3 tools; about \d+ tokens; /);
  expect(stdout).not.toContain('\u001b');
});

test('prints JSON, and chooses operations', async () => {
  const { stdout } = await runTenon([
    'openapi',
    file,
    '--json',
    '--include',
    'tag=pets',
    '--include',
    'method=get',
    '--deprecated',
  ]);
  const { title, tools, skipped, findings } = JSON.parse(stdout);
  expect(title).toBe('Pet shop');
  expect(tools).toMatchObject([
    { name: 'listPets', method: 'GET', path: '/pets', tags: ['pets'] },
    { name: 'old', path: '/old' },
  ]);
  expect(skipped).toHaveLength(1);
  expect(findings.length).toBeGreaterThan(0);
});

test('reads a document from a URL', async () => {
  const api = await startApi(document);
  const { stdout } = await runTenon(['openapi', `${api.url}/openapi.json`, '--json']);
  expect(JSON.parse(stdout).tools).toHaveLength(3);
  expect(api.asked).toEqual(['GET /openapi.json']);
});

test('needs consent to the servers of the document before it serves', async () => {
  const { code, stderr } = await runTenon(['openapi', file, '--serve']);
  expect(code).toBe(1);
  expect(stderr).toContain('The document names https://pets.example/v1.');
  expect(stderr).toContain('Give --base-url URL, or --document-servers to trust those of the document.');
});

test('serves the tools over HTTP', async () => {
  const api = await startApi([{ name: 'Rex' }]);
  const end = new AbortController();
  const words = [
    'openapi',
    file,
    '--serve',
    '--port',
    '0',
    '--base-url',
    api.url,
    '--header',
    'X-Key: secret',
  ];
  let found: (url: string) => void = () => {};
  const url = new Promise<string>((resolve) => {
    found = resolve;
  });
  const onStderr = (text: string) => {
    const [address] = /http:\S+\/mcp/.exec(text) ?? [];
    if (address !== undefined) found(address);
  };
  const running = runTenon(words, { signal: end.signal, onStderr });
  const client = await connect(await url, { info: { name: 'test', version: '1.0.0' } });
  expect(textOf((await client.callTool('listPets')).content)).toBe('[{"name":"Rex"}]');
  await client.close();
  end.abort();
  expect((await running).stderr).not.toContain('secret');
  expect(api.asked).toEqual(['GET /pets secret']);
});

test('serves the tools over stdio', async () => {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const { stdout } = await runTenon(['openapi', file, '--serve', '--document-servers'], { input });
  const answers = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(answers.find(({ id }) => id === 2).result.tools).toHaveLength(3);
});

test.each([
  [['openapi', 'none.json'], 'The file none.json cannot be read'],
  [
    ['openapi', 'FILE', '--include', 'tags=pets'],
    '--include tags=pets: write tag=, path=, method= or id= and a value.',
  ],
  [['openapi', 'FILE', '--port', '3000'], '--port needs --serve.'],
])('rejects %j', async (words, message) => {
  const { code, stderr } = await runTenon(words.map((word) => (word === 'FILE' ? file : word)));
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
