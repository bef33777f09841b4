import type { Cancelled } from '@tenon/mcp-session';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { everyRevision, WirePeer } from '../test/wire-peer.js';
import type { ServerOptions } from './options.js';
import { createServer, type Server } from './server.js';

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

test('whoever wants to hear of cancellations hears of all, and nothing is written', async () => {
  const heard: Cancelled[] = [];
  const onCancelled = (one: Cancelled) => void heard.push(one);
  const id = await cancelledCall(undefined, { onCancelled });
  expect(heard).toEqual([{ id, method: 'tools/call', name: 'slow' }]);
  expect(written).not.toHaveBeenCalled();
});

test('whoever hears of errors is not told that a client changed its mind', async () => {
  const errors: unknown[] = [];
  await cancelledCall('enough', { onError: (error) => errors.push(error) });
  expect(errors).toEqual([]);
  expect(written).not.toHaveBeenCalled();
});
