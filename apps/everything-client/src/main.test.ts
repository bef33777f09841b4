import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../tooling/suite/shows.js';
import { scenarios } from './scenarios/scenarios.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const suite = fileURLToPath(new URL('../fixtures/suite-server.mjs', import.meta.url));

interface Received {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown> & { readonly _meta?: Record<string, unknown> };
  readonly result?: unknown;
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'everything-client-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], env: Record<string, string> = {}) {
  const inherited = { PATH: process.env.PATH ?? '' };
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env: { ...inherited, ...env } });
}

/** Runs a scenario; returns the messages that the server received. */
function play(scenario: string, env: Record<string, string>): readonly Received[] {
  const file = join(folder, 'received.jsonl');
  const command = `'${process.execPath}' '${suite}' '${file}'`;
  const played = run(['--command', command], { MCP_CONFORMANCE_SCENARIO: scenario, ...env });
  expect(played).toMatchObject({ status: 0, stdout: 'done\n', stderr: '' });
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Received);
}

function called(received: readonly Received[], tool: string): readonly Received[] {
  return received.filter(({ params }) => params?.name === tool);
}

const handshake = { MCP_CONFORMANCE_PROTOCOL_VERSION: '2025-11-25' };
const stateless = { MCP_CONFORMANCE_PROTOCOL_VERSION: '2026-07-28' };

describe('scenarios', () => {
  it('initialize: speaks the revision the suite names', () => {
    const received = play('initialize', { MCP_CONFORMANCE_PROTOCOL_VERSION: '2025-06-18' });
    const methods = ['initialize', 'notifications/initialized', 'tools/list'];
    expect(received.map(({ method }) => method)).toEqual(methods);
    expect(received[0]?.params?.protocolVersion).toBe('2025-06-18');
  });

  it('tools_call: calls with numbers', () => {
    const [call] = called(play('tools_call', handshake), 'add_numbers');
    expect(call?.params?.arguments).toEqual({ a: 5, b: 3 });
  });

  it('elicitation-sep1034-client-defaults: fills in every default', () => {
    const received = play('elicitation-sep1034-client-defaults', handshake);
    expect(received.find(({ id }) => id === 'ask')?.result).toEqual({
      action: 'accept',
      content: { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true },
    });
  });

  it('json-schema-2020-12-preservation: hands the schema on as it was listed', () => {
    const [call] = called(play('json-schema-2020-12-preservation', stateless), 'json_schema_echo');
    expect(call?.params?.arguments).toEqual({
      schema: {
        type: 'object',
        $defs: { a: { $anchor: 'a' } },
        allOf: [{ anyOf: [{ type: 'object' }] }],
        additionalProperties: false,
      },
    });
  });

  it('request-metadata: declares what it can be asked', () => {
    const listing = play('request-metadata', stateless).find(({ method }) => method === 'tools/list');
    expect(listing?.params?._meta).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'everything-client' },
      'io.modelcontextprotocol/clientCapabilities': {
        roots: expect.anything(),
        sampling: expect.anything(),
        elicitation: expect.anything(),
      },
    });
  });

  it('http-custom-headers: makes the calls of the context', () => {
    const toolCalls = [{ name: 'add_numbers', arguments: { a: 1, b: null } }, { name: 'json_schema_echo' }];
    const received = play('http-custom-headers', {
      ...stateless,
      MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name: 'http-custom-headers', toolCalls }),
    });
    expect(called(received, 'add_numbers')[0]?.params?.arguments).toEqual({ a: 1, b: null });
    expect(called(received, 'json_schema_echo')).toHaveLength(1);
  });

  it('sep-2322-client-request-state: repeats calls with new ids, and their own state only', () => {
    shows('2026-07-28/basic/patterns/mrtr/echo-state', '2026-07-28/basic/patterns/mrtr/own-retry-only');
    const received = play('sep-2322-client-request-state', stateless);
    const [first, second, ...more] = called(received, 'test_mrtr_echo_state');
    expect(more).toEqual([]);
    expect(second?.params).toMatchObject({
      requestState: 'opaque {}',
      inputResponses: { confirm: { action: 'accept', content: { confirmed: true } } },
    });
    expect(second?.id).not.toEqual(first?.id);
    expect(called(received, 'test_mrtr_no_state')[1]?.params).not.toHaveProperty('requestState');
    for (const name of ['test_mrtr_unrelated', 'test_mrtr_no_result_type']) {
      const [only, ...others] = called(received, name);
      expect(others).toEqual([]);
      expect(only?.params).not.toHaveProperty('requestState');
      expect(only?.params).not.toHaveProperty('inputResponses');
    }
  });

  it.each(['http-standard-headers', 'json-schema-ref-no-deref'])('%s: runs to its end', (scenario) => {
    showsBy(scenario, { 'json-schema-ref-no-deref': '2026-07-28/basic/index/ref-not-fetched' });
    expect(play(scenario, {}).some(({ method }) => method === 'tools/list')).toBe(true);
  });
});

describe('servers with a URL', () => {
  it('connects to the URL', async () => {
    const asked: unknown[] = [];
    const server = createServer(async (request, response) => {
      const { id, method } = (await json(request)) as Received;
      asked.push([request.url, method]);
      const more = method === 'tools/list' ? { tools: [] } : { supportedVersions: ['2026-07-28'] };
      const result = {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        capabilities: { tools: {} },
        ...more,
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path`;
    const child = spawn(process.execPath, [main, '--scenario', 'initialize', url]);
    const said = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    server.close();
    expect(said).toEqual(['done\n', '', [0, null]]);
    expect(asked).toEqual([
      ['/some/path', 'server/discover'],
      ['/some/path', 'tools/list'],
    ]);
  });
});

describe('command line', () => {
  it('lists the scenarios', () => {
    const { status, stdout } = run(['--list']);
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toEqual([...scenarios.keys()]);
  });

  it('shows help', () => {
    const { status, stdout } = run(['--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: node apps/everything-client/dist/main.js');
  });

  it.each([
    {
      args: ['--scenario', 'dance', '--command', 'true'],
      status: 1,
      message: "There is no scenario 'dance'",
    },
    { args: ['--scenario', 'initialize', '--command', 'exit 3'], status: 1, message: 'everything-client: ' },
    { args: ['--scenario', 'initialize'], status: 2, message: 'its URL, or --command' },
    { args: ['--command', 'true', 'http://127.0.0.1:1/'], status: 2, message: 'Name one server only' },
    { args: ['here', '--scenario', 'initialize'], status: 2, message: "'here' is not a URL" },
    { args: ['--command', 'true'], status: 2, message: '--scenario' },
    { args: ['--loud'], status: 2, message: "Unknown option '--loud'. See --help." },
  ])('answers $args with $status', ({ args, status, message }) => {
    const result = run(args);
    expect(result.status).toBe(status);
    expect(result.stderr).toContain(message);
  });
});
