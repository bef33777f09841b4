import {
  type Connection,
  type Exchange,
  latestHandshake,
  latestStateless,
  MetaKey,
  serverPort,
  type TransportFacts,
} from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { WireMessage } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };

describe('params that headers repeat', () => {
  let runs = 0;
  const server = createServer(info)
    .tool(
      'query',
      {
        input: {
          type: 'object',
          properties: {
            region: { type: 'string', 'x-mcp-header': 'Region' },
            limit: { type: 'integer', 'x-mcp-header': 'Limit' },
          },
        },
      },
      () => {
        runs++;
        return 'ran';
      },
    )
    .tool('plain', { input: { type: 'object' } }, () => 'ran');

  async function call(
    name: string,
    args: object | undefined,
    headers: Readonly<Record<string, string>> | undefined,
  ): Promise<{ answer: WireMessage; codes: number[]; ran: boolean }> {
    const codes: number[] = [];
    const all: Readonly<Record<string, string>> = {
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    };
    const facts: TransportFacts =
      headers === undefined ? {} : { protocolVersion: latestStateless.id, header: (one: string) => all[one] };
    const exchange: Exchange = { facts, send: () => undefined, failed: (code) => void codes.push(code) };
    const _meta = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
    const params = { name, ...(args && { arguments: args }), _meta };
    const before = runs;
    const frame = await server[serverPort].answer(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      exchange,
    );
    return { answer: JSON.parse(frame ?? ''), codes, ran: runs > before };
  }

  test.each<[string, object | undefined, Record<string, string>, ...string[]]>([
    [
      'both',
      { region: 'eu', limit: 5 },
      { 'mcp-param-region': 'eu', 'mcp-param-limit': '5.0' },
      '2026-07-28/basic/transports/streamable-http/value-given-server',
      '2026-07-28/basic/transports/streamable-http/integers-numerically',
      'draft-tools/tools/header-annotation',
    ],
    [
      'one wrapped',
      { region: 'é' },
      { 'mcp-param-region': '=?base64?w6k=?=' },
      '2026-07-28/basic/transports/streamable-http/values-decoded',
    ],
    ['neither', {}, {}, '2026-07-28/basic/transports/streamable-http/value-absent-server'],
    ['no arguments at all', undefined, {}],
    [
      'headers of nobody',
      {},
      { 'mcp-param-other': 'x' },
      '2026-07-28/basic/transports/streamable-http/unknown-forwarded',
    ],
  ])('accepts %s', async (...[, args, headers, ...ids]) => {
    shows(...ids);
    expect(await call('query', args, headers)).toMatchObject({ codes: [], ran: true });
  });

  test.each<[string, object, Record<string, string>, RegExp, ...string[]]>([
    [
      'missing',
      { region: 'eu' },
      {},
      /mcp-param-region is required/,
      '2026-07-28/basic/transports/streamable-http/header-omitted',
    ],
    [
      'different',
      { region: 'eu' },
      { 'mcp-param-region': 'us' },
      /differ/,
      '2026-07-28/basic/transports/streamable-http/value-given-server',
    ],
    ['in another case', { region: 'eu' }, { 'mcp-param-region': 'EU' }, /differ/],
    ['wrapped badly', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, /differ/],
    ['there without a value', {}, { 'mcp-param-limit': '5' }, /is there, but/],
    ['there beside null', { region: null }, { 'mcp-param-region': 'null' }, /is there, but/],
  ])('are refused before the handler runs: %s', async (...[, args, headers, message, ...ids]) => {
    shows(...ids);
    const { answer, codes, ran } = await call('query', args, headers);
    expect(answer).toMatchObject({
      id: 1,
      error: { code: -32020, message: expect.stringMatching(message) },
    });
    expect({ codes, ran }).toEqual({ codes: [-32020], ran: false });
  });

  test('skips the check for a tool without headers, or a transport without headers', async () => {
    expect((await call('plain', { region: 'eu' }, {})).answer.result).toBeDefined();
    expect((await call('query', { region: 'eu' }, undefined)).ran).toBe(true);
  });
});

describe('the abilities of a transport for a call', () => {
  const server = createServer(info)
    .tool('release', {}, (_, ctx) => {
      ctx.releaseStream(250);
      ctx.releaseStream();
      return 'released';
    })
    .tool('late', {}, (_, ctx) => {
      setImmediate(() => ctx.releaseStream());
      return 'too late';
    })
    .tool('can', {}, (_, ctx) =>
      (['elicit', 'sample', 'roots'] as const).filter((one) => ctx.can(one)).join(' '),
    )
    .tool('ask', {}, async (_, ctx) => JSON.stringify(await ctx.roots('r')));

  /** Calls a tool in a session on a connection with the facts given. */
  async function call(name: string, facts: TransportFacts = {}) {
    const connection: Connection = {
      facts,
      start: () => undefined,
      send: () => undefined,
      close: () => Promise.resolve(),
    };
    const endpoint = server[serverPort].accept(connection, {
      revision: latestHandshake,
      peer: { clientCapabilities: { elicitation: {}, sampling: {}, roots: {} } },
    });
    const released: (number | undefined)[] = [];
    const exchange: Exchange = {
      facts,
      send: () => undefined,
      release: (retry) => void released.push(retry),
    };
    const frame = await endpoint.receive(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } },
      exchange,
    );
    await new Promise((resolve) => setImmediate(resolve));
    await endpoint.close();
    return { result: JSON.parse(frame ?? '').result, released };
  }

  test('releases its connection when a handler requests it', async () => {
    expect((await call('release')).released).toEqual([250, undefined]);
  });

  test('keeps the connection when the response is being sent', async () => {
    expect((await call('late')).released).toEqual([]);
  });

  test('ignores a release when there is no connection to release', async () => {
    const exchange: Exchange = { facts: {}, send: () => undefined };
    const _meta = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
    const params = { name: 'release', _meta };
    const frame = await server[serverPort].answer(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      exchange,
    );
    expect(JSON.parse(frame ?? '').result.content[0].text).toBe('released');
  });

  test('rejects input requests when only responses can be sent', async () => {
    expect((await call('can')).result.content[0].text).toBe('elicit sample roots');
    const alone = { answersOnly: true };
    expect((await call('can', alone)).result.content[0].text).toBe('');
    const { result } = await call('ask', alone);
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain('answers only');
  });
});
