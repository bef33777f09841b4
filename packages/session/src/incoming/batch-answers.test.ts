import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20250326 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { Held, notification, Rig, request } from '../../test/rig.js';

/** A result of about so many characters. */
const result = (characters: number): UnknownObject => ({ text: 'x'.repeat(characters) });
const batchOf = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => request(from + n, 'ping', {}));
const codes = (answers: readonly { readonly error?: { readonly code: number } }[]) =>
  answers.map(({ error }) => error?.code ?? 'result');

describe('answers to a batch that are too long in sum', () => {
  test('are left out once the bound is reached, and no further handler is started', async () => {
    let handled = 0;
    const rig = new Rig({
      revision: revision20250326,
      limits: { batchAnswers: 5_000 },
      requests: {
        ping: () => {
          handled++;
          return result(2_000);
        },
      },
    });
    const answers = await rig.ask(batchOf(10));
    expect(codes(answers)).toEqual(['result', 'result', -32_603, ...Array(7).fill(-31_001)]);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(handled).toBe(3);
    expect(answers[2]?.error?.message).toBe(
      'This request was handled, but its answer was left out: the answers to your batches are longer than 5000 characters in all. Send it on its own, or in a smaller batch.',
    );
    expect(answers[3]?.error?.message).toContain('was not handled');
    expect(rig.errors).toMatchObject([
      { error: { reason: 'limit', message: expect.stringContaining('batchAnswers') }, where: 'batch' },
    ]);
  });

  test('count while other handlers of the batch run', async () => {
    const held = new Held();
    const rig = new Rig({
      revision: revision20250326,
      limits: { batchAnswers: 5_000 },
      requests: { ping: held.handle },
    });
    const answer = rig.ask(batchOf(4));
    for (const index of [3, 1, 0, 2]) {
      held.finish(index, result(2_000));
      await settled();
    }
    expect(codes(await answer)).toEqual([-32_603, 'result', -32_603, 'result']);
  });

  test('are not turned into text once twice as much was made as may be held', async () => {
    let texts = 0;
    const counted = () => ({
      text: 'x'.repeat(100_000),
      toJSON() {
        texts++;
        return { text: this.text };
      },
    });
    const rig = new Rig({
      revision: revision20250326,
      limits: { batchAnswers: 250_000 },
      requests: { ping: async () => counted() },
    });
    expect(codes(await rig.ask(batchOf(10)))).toEqual(['result', 'result', ...Array(8).fill(-32_603)]);
    expect(texts).toBe(5);
  });

  test('count together with those of another batch of the same peer', async () => {
    const held = new Held();
    const rig = new Rig({
      revision: revision20250326,
      limits: { batchAnswers: 5_000 },
      requests: { ping: held.handle },
    });
    const first = rig.ask(batchOf(3));
    const second = rig.ask(batchOf(2, 11));
    for (const index of [0, 1, 3, 2, 4]) {
      held.finish(index, result(2_000));
      await settled();
    }
    expect(codes(await second)).toEqual([-32_603, 'result']);
    expect(codes(await first)).toEqual(['result', 'result', -32_603]);
    // What has left is held no longer.
    const third = rig.ask(batchOf(2, 21));
    for (const index of [5, 6]) held.finish(index, result(2_000));
    expect(codes(await third)).toEqual(['result', 'result']);
  });

  test('do not keep notifications and answers of the same batch from arriving', async () => {
    const heard: string[] = [];
    const rig = new Rig({
      revision: revision20250326,
      limits: { batchAnswers: 1_000 },
      requests: { ping: () => result(2_000) },
      notifications: { 'notifications/roots/list_changed': () => heard.push('roots') },
    });
    const asked = rig.endpoint.request('roots/list', {});
    const answers = await rig.ask([
      request(1, 'ping', {}),
      notification('notifications/roots/list_changed'),
      { jsonrpc: '2.0', id: 1, result: { roots: [] } },
      request(2, 'ping', {}),
    ]);
    expect(codes(answers)).toEqual([-32_603, -31_001]);
    expect(heard).toEqual(['roots']);
    expect(await asked).toEqual({ roots: [] });
  });

  test('leave short answers as they are', async () => {
    const rig = new Rig({
      revision: revision20250326,
      limits: { batchAnswers: 1 },
      requests: { ping: async () => ({}) },
    });
    expect(codes(await rig.ask(batchOf(3)))).toEqual(['result', 'result', 'result']);
  });
});
