import { revision20241105, revision20250618 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, deferred, Held, notification, Rig, type RigOptions, request } from '../../test/rig.js';

function server(held: Held, more: RigOptions = {}): Rig {
  return new Rig({ revision: revision20250618, ...more, requests: { 'tools/call': held.handle } });
}

const cancelled = (requestId: unknown, reason?: string) =>
  notification('notifications/cancelled', { requestId, ...(reason && { reason }) });

describe('progress', () => {
  function running(more: RigOptions = {}, meta: object = { progressToken: 'tok' }) {
    const held = new Held();
    const rig = server(held, more);
    const answer = rig.ask(request(1, 'tools/call', call(meta)));
    return { held, rig, answer, incoming: held.requests[0]! };
  }
  const values = (rig: Rig) => rig.connection.sent.map((one) => one.params?.progress);

  test('carries the token it was asked by', () => {
    shows(
      '2024-11-05/basic/utilities/progress/token-of-request',
      '2026-07-28/basic/patterns/progress/progress-members',
      '2026-07-28/basic/patterns/progress/progress-message',
      '2026-07-28/basic/patterns/progress/token-provided',
    );
    const { rig, incoming } = running();
    void incoming.progress(1, 3, 'one of three');
    expect(rig.connection.sent).toEqual([
      notification('notifications/progress', {
        progressToken: 'tok',
        progress: 1,
        total: 3,
        message: 'one of three',
      }),
    ]);
  });

  test.each([0, ''])('takes %j for a token', (progressToken) => {
    showsBy(progressToken, {
      '0': [
        '2026-07-28/basic/patterns/progress/token-kind',
        '2026-07-28/basic/patterns/progress/total-omitted',
      ],
    });
    const { rig, incoming } = running({}, { progressToken });
    void incoming.progress(1);
    expect(rig.connection.last.params).toEqual({ progressToken, progress: 1 });
  });

  test('is not sent to who did not ask', () => {
    shows(
      '2024-11-05/basic/utilities/progress/token-of-request',
      '2026-07-28/basic/patterns/progress/token-provided',
    );
    const { rig, incoming } = running({}, {});
    expect(incoming.progress(1)).toBeUndefined();
    expect(rig.connection.sent).toEqual([]);
  });

  test('has no words in the revision without them', () => {
    const { rig, incoming } = running({ revision: revision20241105 });
    void incoming.progress(1, 2, 'words');
    expect(rig.connection.last.params).toEqual({ progressToken: 'tok', progress: 1, total: 2 });
  });

  test('must grow', () => {
    shows(
      '2024-11-05/basic/utilities/progress/increases',
      '2026-07-28/basic/patterns/progress/progress-increases',
      '2026-07-28/basic/patterns/progress/progress-floating',
    );
    const { rig, incoming } = running();
    for (const value of [1, 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1.5]) void incoming.progress(value);
    expect(values(rig)).toEqual([1, 1.5]);
  });

  test('has no total that is not a number', () => {
    shows('2026-07-28/basic/patterns/progress/total-omitted');
    const { rig, incoming } = running();
    void incoming.progress(1, Number.POSITIVE_INFINITY);
    expect(rig.connection.last.params).toEqual({ progressToken: 'tok', progress: 1 });
  });

  test('that comes too fast is thinned, but the last value always goes out ahead of the answer', async () => {
    shows(
      '2024-11-05/basic/utilities/progress/any-frequency',
      '2024-11-05/basic/utilities/progress/rate-limited',
      '2026-07-28/basic/patterns/progress/any-frequency',
      '2026-07-28/basic/patterns/progress/rate-limit',
    );
    const { rig, incoming, held, answer } = running({ limits: { progressPerSecond: 10 } });
    for (let value = 1; value <= 100; value++) void incoming.progress(value, 100);
    expect(values(rig)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await rig.clock.advance(100);
    void incoming.progress(101);
    void incoming.progress(102);
    expect(values(rig).slice(10)).toEqual([100]);
    held.finish();
    await answer;
    expect(values(rig).slice(10)).toEqual([100, 102]);
  });

  test('that was held back goes out ahead of an error, but not after a cancellation', async () => {
    shows('2026-07-28/basic/patterns/progress/token-in-progress');
    const failing = running({ limits: { progressPerSecond: 1 } });
    for (const value of [1, 2]) void failing.incoming.progress(value);
    failing.held.fail(new Error('x'));
    await failing.answer;
    expect(values(failing.rig)).toEqual([1, 2]);
    const dropped = running({ limits: { progressPerSecond: 1 } });
    for (const value of [1, 2]) void dropped.incoming.progress(value);
    dropped.rig.hand(cancelled(1));
    dropped.held.finish();
    await dropped.answer;
    expect(values(dropped.rig)).toEqual([1]);
  });

  test('stops with the answer', async () => {
    shows(
      '2024-11-05/basic/utilities/progress/token-in-progress',
      '2024-11-05/basic/utilities/progress/tokens-tracked',
      '2024-11-05/basic/utilities/progress/stops',
      '2026-07-28/basic/patterns/progress/token-in-progress',
      '2026-07-28/basic/patterns/progress/track-tokens',
      '2026-07-28/basic/patterns/progress/stops',
    );
    const { rig, incoming, held, answer } = running();
    held.finish();
    await answer;
    expect(incoming.finished).toBe(true);
    expect(incoming.progress(1)).toBeUndefined();
    expect(incoming.notify('notifications/message', { level: 'info', data: 'x' })).toBeUndefined();
    expect(rig.connection.sent).toEqual([]);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('gone'))],
    [
      'throws',
      () => {
        throw new Error('gone');
      },
    ],
  ])('a transport that %s does not fail the handler', async (_, onSend) => {
    const { rig, incoming, held, answer } = running();
    rig.connection.onSend = onSend;
    await incoming.progress(1);
    void incoming.progress(2);
    await incoming.notify('notifications/message', { level: 'info', data: 'x' });
    held.finish();
    expect((await answer).result).toBeDefined();
  });

  test('waits when the transport returns a promise', async () => {
    const { rig, incoming } = running();
    const drained = deferred<void>();
    rig.connection.onSend = () => drained.promise;
    let waited = false;
    const patience = incoming.progress(1)?.then(() => {
      waited = true;
    });
    await settled();
    expect(waited).toBe(false);
    drained.resolve();
    await patience;
    expect(waited).toBe(true);
  });
});
