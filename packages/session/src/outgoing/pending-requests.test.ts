import { revision20250618 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { notification, Rig, type RigOptions } from '../../test/rig.js';
import type { Progress } from '../requests/request-options.js';

function client(more: RigOptions = {}): Rig {
  return new Rig({ side: 'client', revision: revision20250618, ...more });
}

const result = (id: unknown, value: object = {}) => ({ jsonrpc: '2.0', id, result: value });
const tool = { name: 'x' };
const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

describe('progress', () => {
  const progressed = (progressToken: unknown, progress: unknown, more: object = {}) =>
    notification('notifications/progress', { progressToken, progress, ...more });

  test('is asked for by a token of the request’s own', async () => {
    shows(
      '2024-11-05/basic/utilities/progress/token-unique',
      '2026-07-28/basic/patterns/progress/token-unique',
    );
    const rig = client();
    for (const options of [{ onProgress: () => {} }, { progress: true }, {}]) {
      const params = { name: 'x', _meta: { progressToken: 'not ours', trace: 1 } };
      void rig.endpoint.request('tools/call', params, options).catch(() => undefined);
    }
    expect(rig.connection.sent.map((one) => one.params?._meta)).toEqual([
      { trace: 1, progressToken: 1 },
      { trace: 1, progressToken: 2 },
      { trace: 1 },
    ]);
  });

  test('reaches its listener while it grows, and stops with the answer', async () => {
    shows(
      '2024-11-05/basic/utilities/progress/tokens-tracked',
      '2026-07-28/basic/patterns/progress/progress-floating',
      '2026-07-28/basic/patterns/progress/track-tokens',
    );
    const rig = client();
    const seen: Progress[] = [];
    const answer = rig.endpoint.request('tools/call', tool, { onProgress: (one) => seen.push(one) });
    for (const value of [0, 0.5, 0.5, 0.2, 2]) rig.hand(progressed(1, value, { total: 3, message: 'm' }));
    rig.hand(progressed('1', 9));
    rig.hand(progressed(99, 9));
    rig.hand(progressed(1, 'nine'));
    rig.hand(result(1, { content: [] }));
    await answer;
    rig.hand(progressed(1, 3));
    expect(seen.map((one) => one.progress)).toEqual([0, 0.5, 2]);
    expect(seen[0]).toMatchObject({ total: 3, message: 'm' });
  });

  test('what a listener throws or rejects with is reported', async () => {
    const rig = client();
    const answer = rig.endpoint.request('tools/call', tool, {
      onProgress: async ({ progress }) => {
        throw new Error(`at ${progress}`);
      },
    });
    const other = rig.endpoint.request('tools/call', tool, {
      onProgress: () => {
        throw new Error('at once');
      },
    });
    rig.hand(progressed(1, 1));
    rig.hand(progressed(2, 1));
    await settled();
    expect(rig.errors.map((one) => [(one.error as Error).message, one.where])).toEqual([
      ['at once', 'onProgress'],
      ['at 1', 'onProgress'],
    ]);
    rig.endpoint.closed();
    await Promise.allSettled([answer, other]);
  });
});

describe('time', () => {
  const limits = { requestTimeout: 1_000, requestTotal: 5_000 };
  const progressed = (progress: number) =>
    notification('notifications/progress', { progressToken: 1, progress });

  test('an answer that could not be read does not pass for silence', async () => {
    const rig = client({ limits });
    const answer = rig.endpoint.request('tools/call', tool);
    const outcome = expect(answer).rejects.toThrow(
      'Or its answer is what could not be read here: The line is longer than 8 bytes.',
    );
    void rig.endpoint.malformed('The line is longer than 8 bytes.', rig.connection);
    await rig.clock.advance(1_000);
    await outcome;
  });

  test('silence ends a request and tells the peer', async () => {
    shows(
      '2026-07-28/basic/patterns/cancellation/timeouts',
      '2026-07-28/basic/patterns/cancellation/timeout-cancels',
    );
    const rig = client({ limits });
    const answer = rig.endpoint.request('tools/call', tool);
    const outcome = expect(answer).rejects.toMatchObject({
      reason: 'timeout',
      message:
        'tools/call x was not answered within 1000 ms of silence; allow it more with the option "limits.requestTimeout".',
    });
    await rig.clock.advance(999);
    expect(rig.endpoint.pending).toBe(1);
    await rig.clock.advance(1);
    await outcome;
    expect(rig.connection.last).toEqual(
      notification('notifications/cancelled', { requestId: 1, reason: 'The request timed out.' }),
    );
    rig.hand(result(1, { content: [] }));
    expect(rig.clock.waiting).toEqual([]);
  });

  test('the peer is not to blame while this end sees to something, such as a sign-in', async () => {
    const rig = client({ limits });
    const answer = rig.endpoint.request('tools/call', tool);
    const outcome = expect(answer).rejects.toThrow('was not answered within 1000 ms of silence');
    let fail = (_: Error) => {};
    rig.endpoint.waitsFor(new Promise((_, reject) => (fail = reject)));
    await rig.clock.advance(3_500);
    expect(rig.endpoint.pending).toBe(1);
    fail(new Error('The user said no.'));
    await settled();
    await rig.clock.advance(999);
    expect(rig.endpoint.pending).toBe(1);
    await rig.clock.advance(1);
    await outcome;
  });

  test('progress grants more of it, up to the total', async () => {
    shows(
      '2026-07-28/basic/patterns/cancellation/progress-resets',
      '2026-07-28/basic/patterns/cancellation/maximum-timeout',
    );
    const rig = client({ limits });
    const answer = rig.endpoint.request('tools/call', tool, { progress: true });
    const outcome = expect(answer).rejects.toMatchObject({
      message:
        'tools/call x did not finish within 5000 ms; allow it more with the option "limits.requestTotal".',
    });
    for (let step = 1; step <= 6; step++) {
      await rig.clock.advance(800);
      expect(rig.endpoint.pending).toBe(1);
      rig.hand(progressed(step));
    }
    await rig.clock.advance(200);
    await outcome;
  });

  test('does not extend the timeout for progress that does not grow or was not requested', async () => {
    shows('2026-07-28/basic/patterns/progress/rate-limit');
    const rig = client({ limits });
    const asked = rig.endpoint.request('tools/call', tool, { progress: true });
    const unasked = rig.endpoint.request('tools/call', tool);
    const outcomes = Promise.allSettled([asked, unasked]);
    rig.hand(progressed(5));
    await rig.clock.advance(900);
    rig.hand(progressed(5));
    rig.hand(notification('notifications/progress', { progressToken: 2, progress: 1 }));
    await rig.clock.advance(100);
    expect((await outcomes).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  });

  test('a request may have its own', async () => {
    shows(
      '2024-11-05/basic/utilities/ping/timeouts-fit',
      '2026-07-28/basic/patterns/cancellation/timeout-per-request',
    );
    const rig = client({ limits });
    const outcomes: string[] = [];
    for (const [name, options] of Object.entries({
      short: { timeout: 10 },
      limited: { timeout: 5_000, total: 20 },
      usual: {},
      patient: { timeout: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY },
    })) {
      rig.endpoint.request('ping', {}, options).catch(() => outcomes.push(name));
    }
    await rig.clock.advance(10);
    expect(outcomes).toEqual(['short']);
    await rig.clock.advance(10);
    expect(outcomes).toEqual(['short', 'limited']);
    await rig.clock.advance(10_000_000);
    expect(outcomes).toEqual(['short', 'limited', 'usual']);
    expect(rig.endpoint.pending).toBe(1);
    // The one without an end: its timer is what keeps the process alive.
    expect(rig.clock.waiting).toHaveLength(1);
  });

  test('initialize that expires is not cancelled', async () => {
    shows(
      '2024-11-05/basic/lifecycle/initialize-timeout',
      '2024-11-05/basic/utilities/cancellation/not-initialize',
    );
    const rig = client({ limits });
    const outcome = expect(rig.endpoint.request('initialize', opening)).rejects.toMatchObject({
      reason: 'timeout',
    });
    await rig.clock.advance(1_000);
    await outcome;
    expect(rig.connection.sent).toHaveLength(1);
  });

  test('all requests share one timer, and none stays behind', async () => {
    const rig = client({ limits });
    const answers = Array.from({ length: 50 }, () => rig.endpoint.request('ping', {}));
    expect(rig.clock.waiting).toHaveLength(1);
    for (let id = 1; id <= 49; id++) rig.hand(result(id));
    expect(rig.clock.waiting).toHaveLength(1);
    rig.endpoint.closed();
    expect(rig.clock.waiting).toEqual([]);
    expect((await Promise.allSettled(answers)).filter((one) => one.status === 'fulfilled')).toHaveLength(49);
  });

  test('an end that has fallen silent holds no timer', async () => {
    const rig = client({ limits });
    const answer = rig.endpoint.request('ping', {});
    rig.hand(result(1));
    await answer;
    await rig.clock.advance(1_000);
    expect(rig.clock.waiting).toEqual([]);
  });

  test('a shorter wait that comes later is not kept waiting', async () => {
    const rig = client({ limits });
    const long = rig.endpoint.request('ping', {}).catch(() => undefined);
    const short = rig.endpoint.request('ping', {}, { timeout: 5 });
    const outcome = expect(short).rejects.toMatchObject({ reason: 'timeout' });
    await rig.clock.advance(5);
    await outcome;
    expect(rig.endpoint.pending).toBe(1);
    rig.endpoint.closed();
    await long;
  });
});

describe('requests that wait', () => {
  test('are each given their own answer, however many there are and in whatever order', async () => {
    shows('2026-07-28/basic/index/request-id-unique');
    const rig = client();
    const answers = Array.from({ length: 100 }, () => rig.endpoint.request('tools/call', tool));
    const ids = rig.connection.sent.map((one) => one.id as number);
    expect(new Set(ids).size).toBe(100);
    for (const id of [...ids].reverse()) rig.hand(result(id, { content: [{ type: 'text', text: `${id}` }] }));
    expect(await Promise.all(answers)).toEqual(
      ids.map((id) => ({ content: [{ type: 'text', text: `${id}` }] })),
    );
    expect(rig.endpoint.pending).toBe(0);
  });

  test('for long are not mixed up with those that come and go meanwhile', async () => {
    const rig = client();
    const long = rig.endpoint.request('tools/call', tool);
    const seen = new Set<unknown>();
    for (let count = 0; count < 200; count++) {
      const answer = rig.endpoint.request('ping', {});
      const { id } = rig.connection.sent.at(-1) ?? {};
      seen.add(id);
      for (const other of [`0${id}`, (id as number) + 0.5, (id as number) + 64]) rig.hand(result(other));
      expect(rig.endpoint.pending).toBe(2);
      rig.hand(result(id));
      await answer;
    }
    expect(seen.size).toBe(200);
    expect(seen.has(1)).toBe(false);
    expect(rig.endpoint.pending).toBe(1);
    rig.hand(result(1, { content: [] }));
    await expect(long).resolves.toEqual({ content: [] });
  });

  test('are rejected in the order they were sent when the endpoint closes', async () => {
    const rig = client();
    const progressed: unknown[] = [];
    const ask = () => {
      const answer = rig.endpoint.request('ping', {});
      const { id } = rig.connection.sent.at(-1) ?? {};
      return { id, answer };
    };
    // However many went before.
    for (let count = 0; count < 27; count++) rig.hand(result(ask().id));
    const ids = Array.from({ length: 7 }, () => {
      const { id, answer } = ask();
      answer.catch(() => progressed.push(id));
      return id;
    });
    rig.endpoint.closed();
    await settled();
    expect(progressed).toEqual(ids);
  });
});
