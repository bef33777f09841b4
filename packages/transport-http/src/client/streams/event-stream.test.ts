import { revision20241105, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { StepClock } from '../../../test/client-clock.js';
import { rig, session } from '../../../test/client-rig.js';
import type { HttpCall } from '../../../test/client-scripted-server.js';

const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} });
const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

function primed(call: HttpCall, fields: Record<string, string | number> = {}): void {
  call.events();
  call.event('', { id: 'e-1', ...fields });
}

describe('the stream of a POST that ends before the answer', () => {
  it('is resumed after the last event, when the server wants it to be, until the answer is there', async () => {
    const clock = new StepClock();
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
    expect(await clock.step()).toBe(500);
    expect(await clock.step()).toBe(500);
    await asked;
    expect(receiver.values).toMatchObject([{ method: 'notifications/progress' }, { id: 1 }]);
    const gets = server.calls.filter((call) => call.method === 'GET');
    expect(gets.map((call) => call.headers['last-event-id'])).toEqual(['e-1', 'e-2']);
    expect(gets[0]?.headers).toMatchObject({
      accept: 'text/event-stream',
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
  ])('is not resumed sooner or later than is sensible: retry %s waits %i ms', async (retry, ms) => {
    const clock = new StepClock();
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
    expect(await clock.step()).toBe(ms);
    await asked;
  });

  it('is let go once the answer came on the stream it was resumed on, which the server leaves open', async () => {
    const clock = new StepClock();
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
    await clock.step();
    await asked;
    await (await server.call('GET')).closed;
  });

  it('is resumed after it broke, too, with jitter where the server gave no time', async () => {
    const clock = new StepClock();
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
    expect(await clock.step()).toBe(250);
    await asked;
  });

  it.each([
    ['no event told where to resume', revision20251125, {}],
    ['the revision resumes nothing', revision20260728, { id: 'e-1' }],
    ['the revision is the first', revision20241105, { id: 'e-1' }],
    ['the id is not fit for a header', revision20251125, { id: 'æøå' }],
  ])('fails the request when %s', async (_, revision, fields) => {
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

  it('fails the request when the server does not know how to resume', async () => {
    const clock = new StepClock();
    const { ask } = await rig(
      (call) => {
        if (call.method === 'GET') return call.raw(405);
        primed(call);
        return call.end();
      },
      { clock },
    );
    const asked = ask(1).catch((error: unknown) => error);
    await clock.step();
    expect(await asked).toMatchObject({ status: 405, message: expect.stringContaining('cannot be resumed') });
  });

  it('is not asked for again once the request is cancelled', async () => {
    const clock = new StepClock();
    const { connection, server, ask } = await rig(
      (call) => {
        primed(call);
        call.end();
      },
      { clock },
    );
    const asked = ask(1);
    await (await server.call('POST')).closed;
    while (clock.tasks.size === 0) await new Promise((resolve) => setImmediate(resolve));
    connection.cancel(1);
    await asked;
    expect(clock.tasks.size).toBe(0);
    expect(server.calls).toHaveLength(1);
  });

  it('is asked for only so often while that fails, more and more seldom', async () => {
    const clock = new StepClock();
    const { ask } = await rig(
      (call) => {
        if (call.method === 'GET') return call.raw(503);
        primed(call);
        return call.end();
      },
      { clock, random: () => 1, limits: { maxReconnects: 3 } },
    );
    const asked = ask(1).catch((error: unknown) => error);
    const waits = [];
    for (let count = 0; count < 4; count++) waits.push(await clock.step());
    expect(waits).toEqual([500, 500, 1000, 2000]);
    expect(await asked).toMatchObject({
      message: expect.stringContaining('3 attempts did not bring it back'),
    });
    expect(String(await asked)).toContain('It answered 503.');
  });

  it('is asked for only so often while the server gives nothing', async () => {
    const clock = new StepClock();
    const { server, ask } = await rig(
      (call) => {
        primed(call, { retry: 100 });
        call.end();
      },
      { clock, limits: { maxEmptyStreams: 3 } },
    );
    const asked = ask(1).catch((error: unknown) => error);
    for (let count = 0; count < 3; count++) expect(await clock.step()).toBe(100);
    expect(await asked).toMatchObject({ message: expect.stringContaining('3 attempts') });
    expect(server.calls.filter((call) => call.method === 'GET')).toHaveLength(3);
  });

  it('does not keep a connection that the server forgot to end after the answer', async () => {
    const clock = new StepClock();
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
    expect(await clock.step()).toBe(2000);
    await Promise.all([asked, closed]);
  });
});

describe('the stream beside a session', () => {
  it('is asked for once the server took something after the opening, and delivers', async () => {
    const { server, receiver, initialize, ask } = await rig(
      session((call) => {
        if (call.method !== 'GET') return call.result();
        call.events();
        return call.event(notice);
      }),
    );
    await ask(0, 'initialize', { opening: true });
    expect(server.calls).toHaveLength(1);
    await initialize();
    await receiver.until(() => receiver.values.some((value) => (value as { method?: string }).method));
    expect((await server.call('GET')).headers['last-event-id']).toBeUndefined();
  });

  it('is not asked for where requests stand alone', async () => {
    const { server, ask } = await rig((call) => call.result(), { revision: revision20260728 });
    await ask(1);
    await ask(2);
    expect(server.calls.every((call) => call.method === 'POST')).toBe(true);
  });

  it.each([405, 404, 401, 200])('is done without when the server answers %i', async (status) => {
    const clock = new StepClock();
    const { server, receiver, initialize, ask } = await rig(
      session((call) => (call.method === 'GET' ? call.raw(status) : call.result())),
      { clock },
    );
    await initialize();
    await (await server.call('GET')).closed;
    await ask(1);
    expect(clock.tasks.size).toBe(0);
    expect(receiver.ends).toEqual([]);
  });

  // Something in between may have answered, so it is asked again; but the session does not depend on it.
  it.each([400, 429, 501, 503])('is done without when the server goes on answering %i', async (status) => {
    const clock = new StepClock();
    const { server, receiver, initialize, ask } = await rig(
      session((call) => (call.method === 'GET' ? call.raw(status) : call.result())),
      { clock, limits: { maxReconnects: 2 } },
    );
    await initialize();
    await clock.step();
    await clock.step();
    await (await server.call('GET', 3)).closed;
    await ask(1);
    expect(clock.tasks.size).toBe(0);
    expect(receiver.ends).toEqual([]);
  });

  it('keeps the process alive while it is away, as it does while it is there', async () => {
    const clock = new StepClock();
    const { server, initialize } = await rig(
      session((call) => {
        call.events();
        call.end();
      }),
      { clock },
    );
    await initialize();
    await (await server.call('GET')).closed;
    expect(await clock.until(() => true)).toMatchObject({ holds: true });
  });

  it('is taken up again where it ended', async () => {
    const clock = new StepClock();
    const { server, receiver, initialize } = await rig(
      session((call) => {
        call.events();
        const after = Number(call.headers['last-event-id'] ?? 0);
        call.event({ ...notice, params: { after } }, { id: after + 1 });
        if (after < 2) call.end();
      }),
      { clock, random: () => 1 },
    );
    await initialize();
    expect(await clock.step()).toBe(500);
    expect(await clock.step()).toBe(500);
    await server.call('GET', 3);
    await receiver.count(4);
    const told = receiver.values.slice(1) as { params: { after: number } }[];
    expect(told.map(({ params }) => params.after)).toEqual([0, 1, 2]);
  });

  it('ends the connection, and the session, when it cannot be had again', async () => {
    const clock = new StepClock();
    let count = 0;
    const { server, receiver, initialize } = await rig(
      session((call) => {
        if (++count > 1) return call.reset();
        call.events();
        return call.end();
      }),
      { clock, limits: { maxReconnects: 2 } },
    );
    await initialize();
    for (let step = 0; step < 3; step++) await clock.step();
    expect(await receiver.end()).toMatchObject({
      name: 'TransportError',
      message: expect.stringContaining('2 attempts did not bring it back'),
    });
    await server.call('DELETE');
    expect(receiver.ends).toHaveLength(1);
  });

  it('is not refilled with patience by connections that bring nothing', async () => {
    const clock = new StepClock();
    const { receiver, initialize } = await rig(
      session((call) => {
        call.events();
        call.response.write(': hello\n\n');
        call.end();
      }),
      { clock, limits: { maxEmptyStreams: 2 } },
    );
    await initialize();
    await clock.step();
    await clock.step();
    expect(await receiver.end()).toMatchObject({ name: 'TransportError' });
  });

  it('costs no patience while its connections hold', async () => {
    const clock = new StepClock();
    const { server, receiver, initialize } = await rig(
      session((call) => call.events()),
      { clock, limits: { maxEmptyStreams: 1 } },
    );
    await initialize();
    for (let number = 1; number < 5; number++) {
      const call = await server.call('GET', number);
      clock.pass(31_000);
      call.end();
      await clock.step();
    }
    await server.call('GET', 5);
    expect(receiver.ends).toEqual([]);
  });

  it('that the server refuses later ends the connection: nobody would hear that nothing comes', async () => {
    const clock = new StepClock();
    let count = 0;
    const { receiver, initialize } = await rig(
      session((call) => {
        if (++count > 1) return call.raw(401);
        call.events();
        return call.end();
      }),
      { clock },
    );
    await initialize();
    await clock.step();
    expect(await receiver.end()).toMatchObject({ status: 401 });
  });

  it('that is answered 404 later tells that the session is lost', async () => {
    const clock = new StepClock();
    let count = 0;
    const { receiver, initialize, server } = await rig(
      session((call) => {
        if (++count > 1) return call.raw(404);
        call.events();
        return call.end();
      }),
      { clock },
    );
    await initialize();
    await clock.step();
    expect(await receiver.end()).toMatchObject({ status: 404 });
    expect(server.calls.some((call) => call.method === 'DELETE')).toBe(false);
  });
});
