import {
  type CarrierFacts,
  type Connection,
  type Exchange,
  latestHandshake,
  latestStateless,
  MetaKey,
} from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
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
    const facts: CarrierFacts =
      headers === undefined ? {} : { protocolVersion: latestStateless.id, header: (one: string) => all[one] };
    const exchange: Exchange = { facts, send: () => undefined, failed: (code) => void codes.push(code) };
    const _meta = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
    const params = { name, ...(args && { arguments: args }), _meta };
    const before = runs;
    const frame = await server.answer({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, exchange);
    return { answer: JSON.parse(frame ?? ''), codes, ran: runs > before };
  }

  test.each<[string, object | undefined, Record<string, string>]>([
    ['both', { region: 'eu', limit: 5 }, { 'mcp-param-region': 'eu', 'mcp-param-limit': '5.0' }],
    ['one wrapped', { region: 'é' }, { 'mcp-param-region': '=?base64?w6k=?=' }],
    ['neither', {}, {}],
    ['no arguments at all', undefined, {}],
    ['headers of nobody', {}, { 'mcp-param-other': 'x' }],
  ])('are taken: %s', async (_title, args, headers) => {
    expect(await call('query', args, headers)).toMatchObject({ codes: [], ran: true });
  });

  test.each<[string, object, Record<string, string>, RegExp]>([
    ['missing', { region: 'eu' }, {}, /mcp-param-region is required/],
    ['different', { region: 'eu' }, { 'mcp-param-region': 'us' }, /differ/],
    ['in another case', { region: 'eu' }, { 'mcp-param-region': 'EU' }, /differ/],
    ['wrapped badly', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, /differ/],
    ['there without a value', {}, { 'mcp-param-limit': '5' }, /is there, but/],
    ['there beside null', { region: null }, { 'mcp-param-region': 'null' }, /is there, but/],
  ])('are refused before the handler runs: %s', async (...[, args, headers, message]) => {
    const { answer, codes, ran } = await call('query', args, headers);
    expect(answer).toMatchObject({
      id: 1,
      error: { code: -32020, message: expect.stringMatching(message) },
    });
    expect({ codes, ran }).toEqual({ codes: [-32020], ran: false });
  });

  test('are not looked at where a tool has none, or the carrier no headers', async () => {
    expect((await call('plain', { region: 'eu' }, {})).answer.result).toBeDefined();
    expect((await call('query', { region: 'eu' }, undefined)).ran).toBe(true);
  });
});

describe('what a carrier can do for a call', () => {
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
  async function call(name: string, facts: CarrierFacts = {}) {
    const connection: Connection = {
      facts,
      start: () => undefined,
      send: () => undefined,
      close: () => Promise.resolve(),
    };
    const endpoint = server.accept(connection, {
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

  test('its connection is let go of when a handler says so', async () => {
    expect((await call('release')).released).toEqual([250, undefined]);
  });

  test('but not once the answer is on its way', async () => {
    expect((await call('late')).released).toEqual([]);
  });

  test('and it does not matter where there is nothing to let go of', async () => {
    const exchange: Exchange = { facts: {}, send: () => undefined };
    const _meta = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
    const params = { name: 'release', _meta };
    const frame = await server.answer({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, exchange);
    expect(JSON.parse(frame ?? '').result.content[0].text).toBe('released');
  });

  test('nobody can be asked where answers alone get out', async () => {
    expect((await call('can')).result.content[0].text).toBe('elicit sample roots');
    const alone = { answersOnly: true };
    expect((await call('can', alone)).result.content[0].text).toBe('');
    const { result } = await call('ask', alone);
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain('answers only');
  });
});
