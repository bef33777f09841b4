import { otherBounds } from '@tenon/foundation';
import { revision20241105, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { rig } from '../../../test/client-rig.js';
import type { HttpCall } from '../../../test/client-scripted-server.js';

const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} });
const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

function primed(call: HttpCall, fields: Record<string, string | number> = {}): void {
  call.events();
  call.event('', { id: 'e-1', ...fields });
}

describe('the stream of a POST that ends before the answer', () => {
  it('is resumed after the last event, after the wait of the server, until the answer arrives', async () => {
    const clock = new FakeClock();
    const { server, receiver, ask } = await rig(
      (call) => {
        if (call.method === 'POST') {
          primed(call, { retry: 500 });
          call.end();
        } else if (call.headers['last-event-id'] === 'e-1') {
          call.events();
          call.event({ jsonrpc: '2.0', method: 'notifications/progress', params: {} }, { id: 'e-2' });
          call.end();
        } else {
          call.events();
          call.event(answer(1), { id: 'e-3' });
          call.end();
        }
      },
      { clock },
    );
    const asked = ask(1);
    expect(await clock.pass()).toBe(500);
    expect(await clock.pass()).toBe(500);
    await asked;
    expect(receiver.values).toMatchObject([{ method: 'notifications/progress' }, { id: 1 }]);
    const gets = server.calls.filter((call) => call.method === 'GET');
    expect(gets.map((call) => call.headers['last-event-id'])).toEqual(['e-1', 'e-2']);
    expect(gets[0]?.headers).toMatchObject({
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      'mcp-protocol-version': '2025-11-25',
    });
    expect(gets[0]?.headers).not.toHaveProperty('content-type');
  });

  it.each([
    ['0', 100],
    ['99', 100],
    ['101', 101],
    ['60000', 60_000],
    ['9000000000', 60_000],
    ['9'.repeat(400), 60_000],
  ])('limits the wait of the server: retry %s waits %i ms', async (retry, ms) => {
    const clock = new FakeClock();
    const { ask } = await rig(
      (call) => {
        if (call.method === 'POST') primed(call, { retry });
        else {
          call.events();
          call.event(answer(1));
        }
        call.end();
      },
      { clock },
    );
    const asked = ask(1);
    expect(await clock.pass()).toBe(ms);
    await asked;
  });

  it('is closed after the answer arrived on the resumed stream, even if the server leaves it open', async () => {
    const clock = new FakeClock();
    const { server, ask } = await rig(
      (call) => {
        if (call.method === 'POST') {
          primed(call, { retry: 200 });
          call.end();
        } else {
          call.events();
          call.event(answer(1));
        }
      },
      { clock },
    );
    const asked = ask(1);
    await clock.pass();
    await asked;
    await (await server.call('GET')).closed;
  });

  it('is also resumed after it broke, with jitter if the server set no wait', async () => {
    const clock = new FakeClock();
    const { server, ask, receiver } = await rig(
      (call) => {
        if (call.method === 'GET') {
          call.events();
          call.event(answer(1));
          call.end();
        } else {
          primed(call);
          call.event(notice);
        }
      },
      { clock, random: () => 0 },
    );
    const asked = ask(1);
    await receiver.count(1);
    (await server.call('POST')).reset();
    expect(await clock.pass()).toBe(250);
    await asked;
  });

  it.each([
    ['no event has an id', revision20251125, {}],
    [
      'the revision resumes nothing',
      revision20260728,
      { id: 'e-1' },
      '2026-07-28/basic/transports/streamable-http/not-resumable',
    ],
    ['the revision is the first', revision20241105, { id: 'e-1' }],
    ['the id does not fit a header', revision20251125, { id: 'æøå' }],
  ])('fails the request when %s', async (...[, revision, fields, ...ids]) => {
    shows(...ids);
    const { ask } = await rig(
      (call) => {
        call.events();
        call.event(notice, fields);
        call.end();
      },
      { revision },
    );
    await expect(ask(1)).rejects.toMatchObject({
      name: 'TransportError',
      status: 200,
      message: expect.stringContaining('ended the stream before the answer'),
    });
  });

  it('fails the request when the server cannot resume', async () => {
    const clock = new FakeClock();
    const { ask } = await rig(
      (call) => {
        if (call.method === 'GET') return call.raw(405);
        primed(call);
        return call.end();
      },
      { clock },
    );
    const asked = ask(1).catch((error: unknown) => error);
    await clock.pass();
    expect(await asked).toMatchObject({ status: 405, message: expect.stringContaining('cannot be resumed') });
  });

  it('is not requested again after the request was cancelled', async () => {
    const clock = new FakeClock();
    const { connection, server, ask } = await rig(
      (call) => {
        primed(call);
        call.end();
      },
      { clock },
    );
    const asked = ask(1);
    await (await server.call('POST')).closed;
    while (clock.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    connection.cancel(1);
    await asked;
    expect(clock.waiting).toEqual([]);
    expect(server.calls).toHaveLength(1);
  });

  it('is requested up to the limit of failures, with growing waits', async () => {
    const clock = new FakeClock();
    const { ask } = await rig(
      (call) => {
        if (call.method === 'GET') return call.raw(503);
        primed(call);
        return call.end();
      },
      { clock, random: () => 1, limits: otherBounds({ maxReconnects: 3 }) },
    );
    const asked = ask(1).catch((error: unknown) => error);
    const waits = [];
    for (let count = 0; count < 4; count++) waits.push(await clock.pass());
    expect(waits).toEqual([500, 500, 1000, 2000]);
    expect(await asked).toMatchObject({
      message: expect.stringContaining('3 attempts did not bring it back'),
    });
    expect(String(await asked)).toContain('It answered 503.');
  });

  it('is requested up to the limit of streams without messages', async () => {
    const clock = new FakeClock();
    const { server, ask } = await rig(
      (call) => {
        primed(call, { retry: 100 });
        call.end();
      },
      { clock, limits: otherBounds({ maxEmptyStreams: 3 }) },
    );
    const asked = ask(1).catch((error: unknown) => error);
    for (let count = 0; count < 3; count++) expect(await clock.pass()).toBe(100);
    expect(await asked).toMatchObject({ message: expect.stringContaining('3 attempts') });
    expect(server.calls.filter((call) => call.method === 'GET')).toHaveLength(3);
  });

  it('closes a connection that the server left open after the answer', async () => {
    const clock = new FakeClock();
    const { server, ask, receiver } = await rig(
      (call) => {
        call.events();
        call.event(answer(1));
      },
      { clock },
    );
    const asked = ask(1);
    await receiver.count(1);
    const { closed } = await server.call('POST');
    expect(await clock.pass()).toBe(2000);
    await Promise.all([asked, closed]);
  });
});
