import { otherBounds } from '@tenon/foundation';
import { describe, expect, test } from 'vitest';
import { handshakeRevisions } from '../test/wire-peer.js';
import { serveMemory } from './memory.js';
import { createServer } from './server.js';

const info = { name: 'test', version: '1' };

function openWith(revision: string, said: object, limit = 2_000) {
  const server = createServer(info, { limits: otherBounds({ introduction: limit }) });
  let kept = {};
  server.tool('who', {}, (_, ctx) => {
    kept = { info: ctx.client, capabilities: ctx.clientCapabilities };
    return 'ok';
  });
  const connection = serveMemory(server);
  let answered: (answer: unknown) => void = () => undefined;
  connection.start({
    receive: (value) => {
      answered(value);
      return undefined;
    },
    malformed: () => undefined,
    closed: () => undefined,
  });
  const send = (message: { readonly id?: number; readonly [member: string]: unknown }) => {
    const answer = new Promise<unknown>((resolve) => {
      answered = resolve;
    });
    void connection.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    return message.id === undefined ? undefined : answer;
  };
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  return {
    send,
    kept: () => kept,
    initialize: (id: number, more = said) =>
      send({ id, method: 'initialize', params: { ...params, ...more } }),
  };
}

describe.each(handshakeRevisions)('client info in $id', ({ id: revision }) => {
  test.each([
    ['a name', { clientInfo: { name: 'x'.repeat(2_000), version: '1' } }],
    ['capabilities', { capabilities: { experimental: { a: { b: 'x'.repeat(2_000) } } } }],
    ['what is not known here', { clientInfo: { name: 'c', version: '1', more: 'x'.repeat(2_000) } }],
  ])('is rejected past its limit: %s', async (_, said) => {
    const peer = openWith(revision, said);
    const answer = await peer.initialize(1);
    expect(answer).toMatchObject({ error: { code: -32602 } });
    expect(JSON.stringify(answer)).toContain('may have 2000 characters of JSON in all, not 2');
    expect(await peer.initialize(2, {})).toMatchObject({ id: 2, result: { protocolVersion: revision } });
  });

  test('is kept in its known members', async () => {
    const peer = openWith(revision, {
      clientInfo: { name: 'c', version: '1', more: 1 },
      // Extensions come with the newest revision: a server declares none in a handshake, so none is negotiated there.
      capabilities: { roots: {}, other: { deep: true }, extensions: { 'com.example/a': {} } },
    });
    await peer.initialize(1);
    await peer.send({ method: 'notifications/initialized' });
    await peer.send({ id: 2, method: 'tools/call', params: { name: 'who' } });
    expect(peer.kept()).toEqual({ info: { name: 'c', version: '1' }, capabilities: { roots: {} } });
  });
});
