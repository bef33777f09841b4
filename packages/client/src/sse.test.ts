import type { ServerResponse } from 'node:http';
import { SessionError, TransportError } from '@tenon/mcp-protocol';
import { revision20241105 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { type HttpCall, HttpPeer } from '../test/http-peer.js';
import { initializeResult } from '../test/scripts.js';
import type { Client } from './client.js';
import { connect } from './connect.js';
import type { ClientOptions } from './options.js';
import type { StateChange } from './session/connection-supervisor.js';
import { type SseTargetOptions, sseTarget } from './sse.js';

/** A server of 2024 by hand: it shakes hands, and leaves every other request to a test. */
class Older {
  readonly streams: ServerResponse[] = [];
  peer: HttpPeer | undefined;
  /** Handles a message; a returned object is sent as the result on the newest stream. */
  onMessage: (call: HttpCall) => object | undefined = () => ({});

  static async start(): Promise<Older> {
    const older = new Older();
    older.peer = await HttpPeer.start((call) => older.#take(call));
    return older;
  }

  get url(): string {
    return this.peer?.url ?? '';
  }

  /** Sends a message on the newest stream. */
  say(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.streams.at(-1)?.write(`event: message\ndata: ${text}\n\n`);
  }

  async connect(options: Partial<ClientOptions> = {}, target: SseTargetOptions = {}): Promise<Client> {
    const info = { name: 'client', version: '1' };
    const client = await connect(sseTarget(this.url, target), { info, ...options });
    onTestFinished(() => client.close());
    return client;
  }

  #take(call: HttpCall): void {
    const { id, method } = call.message;
    if (call.name === 'GET') {
      call.response.writeHead(200, { 'content-type': 'text/event-stream' });
      call.response.write(`event: endpoint\ndata: ${call.path}/inbox?session=${this.streams.length}\n\n`);
      this.streams.push(call.response);
      return;
    }
    if (method === 'initialize') {
      call.raw(202);
      this.say({ id, result: initializeResult(revision20241105.id) });
      return;
    }
    if (method === 'server/discover') {
      call.raw(202);
      this.say({ id, error: { code: -32601, message: 'Method not found' } });
      return;
    }
    const result = this.onMessage(call);
    if (call.response.writableEnded) return;
    call.raw(202, 'Accepted');
    if (result !== undefined && id !== undefined && method !== undefined) this.say({ id, result });
  }
}

const greeting = { content: [{ type: 'text', text: 'hello' }] };

describe('a client over HTTP+SSE', () => {
  it('speaks the revision of the server, calls a tool, and receives progress', async () => {
    shows('2026-07-28/basic/transports/streamable-http/sse-fallback');
    const older = await Older.start();
    older.onMessage = ({ message }) => {
      const { _meta } = (message.params ?? {}) as { _meta?: { progressToken: number } };
      if (message.method !== 'tools/call') return {};
      older.say({
        method: 'notifications/progress',
        params: { progressToken: _meta?.progressToken, progress: 1, total: 2 },
      });
      return greeting;
    };
    const client = await older.connect({}, { headers: { authorization: 'Bearer secret' } });
    expect(client.revision).toBe('2024-11-05');
    const heard: unknown[] = [];
    const onProgress = (progress: unknown) => void heard.push(progress);
    expect(await client.callTool('greet', {}, { onProgress })).toMatchObject(greeting);
    expect(heard).toEqual([{ progress: 1, total: 2 }]);
    const calls = older.peer?.calls ?? [];
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer secret']));
  });

  it('answers what the server asks', async () => {
    const older = await Older.start();
    const text = { type: 'text', text: 'Yes.' } as const;
    await older.connect({ onSample: async () => ({ role: 'assistant', content: text, model: 'm' }) });
    const params = { messages: [{ role: 'user', content: text }], maxTokens: 10 };
    older.say({ id: 'q', method: 'sampling/createMessage', params });
    const answer = await older.peer?.call('answer');
    expect(answer?.message).toMatchObject({ id: 'q', result: { content: text } });
  });

  it('tells the server that a call was cancelled', async () => {
    const older = await Older.start();
    older.onMessage = () => undefined;
    const client = await older.connect();
    const cancel = new AbortController();
    const called = client.callTool('wait', {}, { signal: cancel.signal });
    const cancelled = expect(called).rejects.toMatchObject({ reason: 'cancelled' });
    const call = await older.peer?.call('tools/call');
    cancel.abort();
    await cancelled;
    const notice = await older.peer?.call('notifications/cancelled');
    expect(notice?.message.params).toMatchObject({ requestId: call?.message.id });
  });

  it('takes up a new session when the stream is lost, and says so', async () => {
    const older = await Older.start();
    older.onMessage = () => greeting;
    const changes: StateChange[] = [];
    const client = await older.connect({ onStateChange: (change) => void changes.push(change) });
    older.streams[0]?.socket?.resetAndDestroy();
    await older.peer?.call('notifications/initialized', 2);
    expect(await client.callTool('greet', {})).toMatchObject(greeting);
    expect(older.peer?.calls.at(-1)?.path).toMatch(/\?session=1$/);
    expect(changes.map(({ state }) => state)).toEqual(['open', 'reconnecting', 'open']);
    expect(changes[1]?.reason).toBeInstanceOf(TransportError);
  });

  it('rejects a call when its stream breaks', async () => {
    const older = await Older.start();
    older.onMessage = ({ message }) => {
      if (message.method === 'tools/call') older.streams[0]?.socket?.resetAndDestroy();
      return undefined;
    };
    const client = await older.connect({ reconnect: false });
    await expect(client.callTool('greet', {})).rejects.toThrow(SessionError);
    expect(client.state).toBe('closed');
  });

  it('takes up a new session when the server has forgotten its own', async () => {
    const older = await Older.start();
    older.onMessage = (call) => {
      if (call.message.method === 'tools/call' && call.path.endsWith('session=0')) call.raw(404);
      return greeting;
    };
    const changes: StateChange[] = [];
    const client = await older.connect({ onStateChange: (change) => void changes.push(change) });
    await client.callTool('greet', {}).catch(() => undefined);
    await older.peer?.call('notifications/initialized', 2);
    expect(await client.callTool('greet', {})).toMatchObject(greeting);
    expect(changes.map(({ state }) => state)).toEqual(['open', 'reconnecting', 'open']);
  });

  it('sends nothing where the server has no right to send it', async () => {
    const other = await HttpPeer.start((call) => call.raw(202));
    const peer = await HttpPeer.start(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${other.url}\n\n`);
    });
    const info = { name: 'client', version: '1' };
    const failed = connect(sseTarget(peer.url, { headers: { authorization: 'Bearer secret' } }), { info });
    await expect(failed).rejects.toThrow(new URL(other.url).origin);
    expect(other.calls).toEqual([]);
  });

  it('works on a fetch of the application', async () => {
    const older = await Older.start();
    older.onMessage = () => greeting;
    const asked: string[] = [];
    const client = await older.connect(
      {},
      {
        fetch: (input, init) => {
          asked.push(init.method ?? '');
          return fetch(input, init);
        },
      },
    );
    expect(await client.callTool('greet', {})).toMatchObject(greeting);
    expect(asked[0]).toBe('GET');
    await client.close();
  });

  it('refuses options that make no sense', () => {
    expect(() => sseTarget('ftp://example.com')).toThrow(TypeError);
    expect(() => sseTarget('http://127.0.0.1/sse', { limits: { maxConnections: 0 } })).toThrow(RangeError);
  });
});
