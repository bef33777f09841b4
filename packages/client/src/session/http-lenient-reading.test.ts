import { otherBounds } from '@tenon/foundation';
import { TransportError } from '@tenon/mcp-protocol';
import { leniencies } from '@tenon/mcp-protocol/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HttpCall, HttpPeer, type HttpScript, modern, sessions } from '../../test/http-peer.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { initializeResult } from '../../test/scripts.js';
import { connect } from '../connect.js';
import { httpTarget } from '../http.js';
import { memoryTarget } from '../memory.js';

const info = { name: 'client', version: '1' };

/** A server that answers the probe with HTTP 500 and an error, under the id that it likes, and knows the handshake. */
function broken(
  id: (call: HttpCall) => unknown = (call) => call.message.id,
  revision = '2025-06-18',
): HttpScript {
  const rest = sessions({}, revision);
  const error = { code: -32_603, message: 'No such session' };
  return (call) =>
    call.name === 'server/discover' ? call.json(500, { jsonrpc: '2.0', id: id(call), error }) : rest(call);
}

function listener() {
  const reported: { text: string; where: string }[] = [];
  const onError = (error: unknown, where: string) => reported.push({ text: (error as Error).message, where });
  return { reported, onError };
}

describe('a server that answers the probe with HTTP 500 and a JSON-RPC error', () => {
  it.each<[string, (call: HttpCall) => unknown]>([
    ['its id', (call) => call.message.id],
    ['its id as a text', (call) => String(call.message.id)],
    ['the id null', () => null],
  ])('under %s is initialized, and that is reported', async (_, id) => {
    const peer = await HttpPeer.start(broken(id));
    const { reported, onError } = listener();
    expect((await peer.connect({ onError })).revision).toBe('2025-06-18');
    await peer.call('GET');
    expect(peer.heard).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'GET']);
    expect(reported).toEqual([
      { text: expect.stringContaining(leniencies['probe-error-500'].departure), where: 'server/discover' },
    ]);
  });

  it('is probed again by the next client: it may have been a newer one in trouble', async () => {
    const peer = await HttpPeer.start(broken());
    expect((await peer.connect()).revision).toBe('2025-06-18');
    const [both, newer] = [peer.script, modern()];
    peer.script = (call) => (call.name === 'server/discover' ? newer(call) : both(call));
    expect((await peer.connect()).revision).toBe('2026-07-28');
  });

  it.each<[string, (call: HttpCall) => void]>([
    ['an error', (call) => call.error(500, -32_000)],
    ['HTTP 404', (call) => call.raw(404)],
    ['a revision that does not exist', (call) => call.result(initializeResult('1999-01-01'))],
    ['a broken connection', (call) => call.reset()],
  ])('fails with its first error and advice when initialize gets %s', async (_, answer) => {
    const peer = await HttpPeer.start((call) =>
      call.name === 'server/discover' ? call.error(500, -32_603, { first: true }) : answer(call),
    );
    const failure: Error = await peer.connect().catch((error) => error);
    expect(failure).toMatchObject({ code: -32_603, data: { first: true } });
    expect(failure.message).toMatch(
      /^server\/discover: Error -32603 .*HTTP 500.*initialize failed as well: .*option "revision"/,
    );
    expect(failure.cause).toBeInstanceOf(TransportError);
    expect(peer.heard).toEqual(['server/discover', 'initialize']);
  });

  it('is not looked for at the older transport', async () => {
    const peer = await HttpPeer.start((call) =>
      call.name === 'server/discover' ? call.error(500, -32_603) : call.raw(405),
    );
    const server = new ScriptedServer({ initialize: () => initializeResult('2024-11-05') });
    const older = () => ({ open: () => memoryTarget(server).open(), restartable: true });
    await expect(connect({ ...httpTarget(peer.url), older }, { info })).rejects.toMatchObject({
      code: -32_603,
    });
    expect(server.peers).toEqual([]);
  });

  it('is not initialized by a client that speaks no revision with a handshake', async () => {
    const peer = await HttpPeer.start(broken());
    await expect(peer.connect({ revisions: ['2026-07-28'] })).rejects.toMatchObject({ code: -32_603 });
    expect(peer.heard).toEqual(['server/discover']);
  });
});

describe('an answer over HTTP under the text of its id', () => {
  const text = { type: 'text', text: 'done' };
  const answers: [string, HttpScript][] = [
    [
      'as JSON',
      (call) => call.json(200, { jsonrpc: '2.0', id: String(call.message.id), result: { content: [text] } }),
    ],
    [
      'as an event, on a stream that does not end',
      (call) => call.event({ id: String(call.message.id), result: { content: [text] } }),
    ],
  ];

  describe.each([
    ['2026-07-28', modern],
    ['2025-06-18', (replies: Record<string, HttpScript>) => sessions(replies, '2025-06-18')],
  ] as const)('in %s', (revision, speaking) => {
    it.each(answers)('%s settles its request, and the exchange is over', async (_, answer) => {
      const peer = await HttpPeer.start(speaking({ 'tools/call': answer }));
      const { reported, onError } = listener();
      const client = await peer.connect({ onError, revision }, { limits: otherBounds({ closeWaitMs: 50 }) });
      for (let call = 0; call < 3; call++) expect((await client.callTool('x')).content).toEqual([text]);
      expect(reported).toEqual([
        { text: expect.stringContaining(leniencies['text-id'].departure), where: 'tools/call' },
      ]);
      const { response } = await peer.call('tools/call');
      // The client closes a stream that has brought its answer, though the server keeps it open.
      if (!response.writableEnded && !response.destroyed)
        await new Promise((resolve) => response.once('close', resolve));
    });

    it('of an error with a status settles its request', async () => {
      const error = { code: -32_001, message: 'No' };
      const refuse: HttpScript = (call) =>
        call.json(400, { jsonrpc: '2.0', id: String(call.message.id), error });
      const peer = await HttpPeer.start(speaking({ 'tools/call': refuse }));
      const client = await peer.connect({ revision });
      onTestFinished(() => client.close());
      await expect(client.callTool('x')).rejects.toMatchObject({
        code: -32_001,
        message: 'tools/call x: No',
      });
    });
  });
});
