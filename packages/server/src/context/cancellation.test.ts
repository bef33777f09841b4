import type { Cancelled } from '@tenon/mcp-session';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { HttpPeer } from '../../test/http-peer.js';
import { everyRevision, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import type { ServerOptions } from '../options.js';
import { createServer, type Server } from '../server.js';

const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => written.mockClear());
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function cancelledCall(
  reason: string | undefined,
  options: ServerOptions = {},
  revision = everyRevision[0],
) {
  const signals: AbortSignal[] = [];
  const server = createServer({ name: 'test', version: '1' }, options).tool('slow', {}, (_, ctx) => {
    signals.push(ctx.signal);
    return new Promise<never>(() => undefined);
  }) as unknown as Server;
  const peer = await WirePeer.open(server, revision);
  const requestId = peer.send('tools/call', { name: 'slow' });
  await turn();
  peer.notify('notifications/cancelled', { requestId, ...(reason !== undefined && { reason }) });
  await turn();
  expect(signals[0]?.aborted).toBe(true);
  return requestId;
}

describe.each(everyRevision)('in $id', (revision) => {
  test('the reason a client gives for a cancellation is logged', async () => {
    showsBy(revision.id, {
      '2024-11-05': '2024-11-05/basic/utilities/cancellation/reasons-logged',
      '2026-07-28': '2026-07-28/basic/patterns/cancellation/log-reasons',
    });
    const id = await cancelledCall('The user\nhung up', {}, revision);
    expect(written.mock.calls).toEqual([
      [
        '[tenon] notifications/cancelled:',
        `The peer cancelled tools/call of slow (id ${id}): The user hung up`,
      ],
    ]);
  });

  test('no reason, no line', async () => {
    await cancelledCall(undefined, {}, revision);
    expect(written).not.toHaveBeenCalled();
  });
});

test('onCancelled receives all cancellations, and nothing is written', async () => {
  const heard: Cancelled[] = [];
  const onCancelled = (one: Cancelled) => void heard.push(one);
  const id = await cancelledCall(undefined, { onCancelled });
  expect(heard).toEqual([{ id, method: 'tools/call', name: 'slow' }]);
  expect(written).not.toHaveBeenCalled();
});

test('onError does not receive cancellations', async () => {
  const errors: unknown[] = [];
  await cancelledCall('enough', { onError: (error) => errors.push(error) });
  expect(errors).toEqual([]);
  expect(written).not.toHaveBeenCalled();
});

test('a cancelled call is not reported when a development tool runs the server', async () => {
  const failed = vi.fn();
  const hook = { state: undefined, created: () => undefined, failed };
  const name = Symbol.for('dev.tenon/development@1');
  Object.defineProperty(globalThis, name, { value: hook, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
  await cancelledCall('enough');
  expect(failed).not.toHaveBeenCalled();
  expect(written).not.toHaveBeenCalled();
});

describe('a client that goes away in the middle of a call without a session', () => {
  const modern = { revision: latestStateless };

  /** A server with a tool that runs until its signal aborts, and the cancellations it receives. */
  async function serving(options: ServerOptions = {}) {
    const heard: Cancelled[] = [];
    let begun = (_: AbortSignal) => {};
    const begin = new Promise<AbortSignal>((resolve) => {
      begun = resolve;
    });
    const onCancelled = (one: Cancelled) => void heard.push(one);
    const server = createServer({ name: 'test', version: '1' }, { onCancelled, ...options })
      .tool('slow', {}, (_, ctx) => {
        begun(ctx.signal);
        return new Promise<never>((_, reject) => {
          ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
        });
      })
      .tool('quick', {}, async () => 'done');
    const http = await serveHttp(server, { limits: { drain: 1 } });
    onTestFinished(() => http.close());
    const peer = await HttpPeer.open(http.url, modern);
    const aborted = async () => {
      const signal = await begin;
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    return { heard, begin, http, peer, aborted };
  }

  const call = {
    jsonrpc: '2.0',
    id: 'c',
    method: 'tools/call',
    params: {
      name: 'slow',
      _meta: {
        'io.modelcontextprotocol/protocolVersion': latestStateless.id,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const headers = {
    'mcp-protocol-version': latestStateless.id,
    'mcp-method': 'tools/call',
    'mcp-name': 'slow',
  };

  test('cancels the request, and reports it', async () => {
    const { heard, begin, peer, aborted } = await serving();
    const leaving = new AbortController();
    const posted = peer.post(call, headers, leaving.signal).catch(() => undefined);
    await begin;
    leaving.abort();
    await posted;
    await aborted();
    expect(heard).toEqual([{ id: 'c', method: 'tools/call', name: 'slow' }]);
    expect(written).not.toHaveBeenCalled();
  });

  test('has not once the call is answered, and neither has a server that ends', async () => {
    const { heard, http, peer, aborted, begin } = await serving();
    expect((await peer.request('tools/call', { name: 'quick' })).result?.isError).not.toBe(true);
    const posted = peer.post(call, headers).catch(() => undefined);
    await begin;
    await http.close();
    await aborted();
    await posted;
    expect(heard).toEqual([]);
  });
});
