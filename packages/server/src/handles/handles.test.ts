import { otherBounds } from '@tenon/foundation';
import { describe, expect, test, vi } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { WirePeer } from '../../test/wire-peer.js';
import { ToolError } from '../results/tool-result.js';
import { createServer } from '../server.js';
import type { HandleCaller, HandleEnd, HandleOptions } from './handle-options.js';
import { createHandles } from './handles.js';

const ada: HandleCaller = { auth: { id: 'ada', issuer: 'https://a.example' } };
const nobody: HandleCaller = {};
const hour = 3_600_000;

function baskets(more: Partial<HandleOptions<string[]>> = {}) {
  const clock = new FakeClock();
  const ended: [string[], HandleEnd][] = [];
  const handles = createHandles<string[]>({
    prefix: 'bsk',
    name: 'basket',
    openedBy: 'create_basket',
    lifetime: 24 * hour,
    onEnd: (value, why) => void ended.push([value, why]),
    clock,
    ...more,
  });
  return { handles, clock, ended };
}

/** The error of looking a handle up. */
async function refusal(look: Promise<unknown>): Promise<ToolError> {
  const error = await look.then(
    () => new Error('It was found.'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ToolError) return error;
  throw error;
}

describe('a handle', () => {
  test('is opaque: the prefix and at least 128 random bits, never the same', async () => {
    shows(
      '2026-07-28/security-best-practices/handles-random',
      '2026-07-28/server/tools/handle-entropy',
      '2026-07-28/server/tools/handle-opaque',
      'draft-tools/tools/handle-entropy',
      'draft-tools/tools/handle-opaque',
    );
    const { handles } = baskets(otherBounds({ limit: 2_000 }));
    const ids = await Promise.all(Array.from({ length: 1_000 }, () => handles.open(ada, [])));
    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^bsk_[a-z2-9]{26}$/);
    const letters = new Set(ids.flatMap((id) => [...id.slice(4)]));
    expect(26 * Math.log2(letters.size)).toBeGreaterThanOrEqual(128);
  });

  test('returns the same value that was opened', async () => {
    shows('draft-tools/tools/handles');
    const { handles } = baskets();
    const value = ['milk'];
    expect(await handles.get(ada, await handles.open(ada, value))).toBe(value);
  });

  test.each<[string, HandleCaller, ...string[]]>([
    [
      'another person',
      { auth: { id: 'bob', issuer: 'https://a.example' } },
      '2026-07-28/security-best-practices/handles-prove-nothing',
      '2026-07-28/security-best-practices/handles-bound',
      '2026-07-28/server/tools/handle-authorized',
      'draft-tools/tools/handle-authorized',
    ],
    [
      'the same id of another issuer',
      { auth: { id: 'ada', issuer: 'https://b.example' } },
      '2026-07-28/security-best-practices/handles-bound',
      '2026-07-28/server/tools/handle-authorized',
      'draft-tools/tools/handle-authorized',
    ],
    ['the same id of no issuer', { auth: { id: 'ada' } }],
    ['somebody nobody vouches for', nobody],
  ])('is rejected for %s, like an unknown handle', async (_, other, ...ids) => {
    shows(...ids);
    const { handles, ended } = baskets();
    const id = await handles.open(ada, []);
    const unknown = await refusal(handles.get(other, `bsk_${'a'.repeat(26)}`));
    expect((await refusal(handles.get(other, id))).message).toBe(unknown.message);
    expect((await refusal(handles.close(other, id))).message).toBe(unknown.message);
    expect(await handles.get(ada, id)).toEqual([]);
    expect(ended).toEqual([]);
  });

  test('of an anonymous caller is usable by any anonymous caller who knows it, and by no other', async () => {
    const { handles } = baskets();
    const id = await handles.open(nobody, ['milk']);
    expect(await handles.get({ auth: undefined }, id)).toEqual(['milk']);
    await refusal(handles.get(ada, id));
  });

  test.each(['', 'bsk_', '__proto__', 'constructor', 'x'.repeat(100_000), 7 as unknown as string])(
    'that is %s is unknown: the error says what to do',
    async (id) => {
      showsBy(id, { bsk_: 'draft-tools/tools/handle-expired' });
      const { handles } = baskets();
      expect((await refusal(handles.get(ada, id))).message).toBe(
        'This basket is unknown or has expired: call create_basket to get another one.',
      );
    },
  );
});

test('a value is replaced by an update, for its caller alone', async () => {
  const { handles } = baskets();
  const id = await handles.open(ada, ['milk']);
  expect(await handles.update(ada, id, (items) => [...items, 'bread'])).toEqual(['milk', 'bread']);
  await refusal(handles.update(nobody, id, () => []));
  expect(await handles.get(ada, id)).toEqual(['milk', 'bread']);
});

describe('its time', () => {
  test('is counted from its opening, however often it is used', async () => {
    shows(
      '2026-07-28/server/tools/handle-entropy',
      '2026-07-28/server/tools/handle-expired',
      'draft-tools/tools/handle-entropy',
    );
    const { handles, clock, ended } = baskets();
    const id = await handles.open(ada, ['milk']);
    for (let hours = 0; hours < 23; hours++) {
      await clock.advance(hour);
      await handles.get(ada, id);
    }
    await clock.advance(hour);
    await refusal(handles.get(ada, id));
    expect(ended).toEqual([[['milk'], 'expired']]);
  });

  test('restarts its idle time with each use', async () => {
    const { handles, clock } = baskets({ idle: hour });
    const id = await handles.open(ada, []);
    await clock.advance(hour - 1);
    await handles.get(ada, id);
    await clock.advance(hour - 1);
    await handles.get(ada, id);
    await clock.advance(hour);
    await refusal(handles.get(ada, id));
  });

  test('expires without a timer: uses of other handles sweep it', async () => {
    const { handles, clock, ended } = baskets({ idle: hour });
    await handles.open(ada, ['left behind']);
    await clock.advance(2 * hour);
    expect(clock.waiting).toEqual([]);
    await handles.open(nobody, []);
    expect(ended).toEqual([[['left behind'], 'expired']]);
  });

  test('ends once by close, and by closeAll if it is still open', async () => {
    const { handles, ended } = baskets();
    const id = await handles.open(ada, ['one']);
    await handles.open(nobody, ['two']);
    await handles.close(ada, id);
    await refusal(handles.close(ada, id));
    handles.closeAll();
    expect(ended).toEqual([
      [['one'], 'closed'],
      [['two'], 'closed'],
    ]);
  });

  test.each<[{ lifetime: number; idle?: number }, string, ...string[]]>([
    [
      { lifetime: 24 * hour },
      'A basket expires 24 hours after it was opened.',
      '2026-07-28/server/tools/handle-lifetime-told',
    ],
    [{ lifetime: 7 * 24 * hour }, 'A basket expires 7 days after it was opened.'],
    [
      { lifetime: 24 * hour, idle: hour / 2 },
      'A basket expires 30 minutes after it was last used, and 24 hours after it was opened at the latest.',
    ],
    [{ lifetime: hour }, 'A basket expires 1 hour after it was opened.'],
    [{ lifetime: 1_500 }, 'A basket expires 2 seconds after it was opened.'],
  ])('describes its lifetime in a sentence for the tool: %j', (times, sentence, ...ids) => {
    shows('draft-tools/tools/handle-retention', ...ids);
    const { handles } = baskets(times);
    expect(handles.retention).toBe(`${sentence} Of more than 1,000, the one used longest ago ends.`);
  });
});

describe('many of them', () => {
  test('displaces the least recently used handle of the same caller only', async () => {
    const { handles, ended } = baskets({ perCaller: 2 });
    const other = await handles.open(nobody, ['other']);
    const first = await handles.open(ada, ['first']);
    await handles.open(ada, ['second']);
    await handles.get(ada, first);
    await handles.open(ada, ['third']);
    expect(ended).toEqual([[['second'], 'displaced']]);
    expect(await handles.get(ada, first)).toEqual(['first']);
    expect(await handles.get(nobody, other)).toEqual(['other']);
  });

  test('in all displace the one used longest ago', async () => {
    const { handles, ended } = baskets(otherBounds({ limit: 2 }));
    await handles.open(nobody, ['one']);
    await handles.open(ada, ['two']);
    await handles.open(ada, ['three']);
    expect(ended).toEqual([[['one'], 'displaced']]);
  });

  test('stay bounded whatever is opened', async () => {
    shows('draft-tools/tools/handle-entropy');
    const { handles, ended } = baskets({ perCaller: 10, ...otherBounds({ limit: 100 }) });
    for (let index = 0; index < 10_000; index++)
      await handles.open({ auth: { id: `caller ${index % 50}` } }, []);
    expect(ended).toHaveLength(9_900);
  });
});

test('reports errors and rejections of onEnd, and continues', async () => {
  const reported: unknown[] = [];
  const onError = (error: unknown, where: string) => void reported.push([String(error), where]);
  const failing = baskets({
    onError,
    onEnd: () => {
      throw new Error('stuck');
    },
  }).handles;
  await failing.close(ada, await failing.open(ada, []));
  const rejecting = baskets({ onError, onEnd: () => Promise.reject(new Error('late')) }).handles;
  await rejecting.close(ada, await rejecting.open(ada, []));
  await vi.waitFor(() => expect(reported).toHaveLength(2));
  expect(reported).toEqual([
    ['Error: stuck', 'onEnd of basket handles'],
    ['Error: late', 'onEnd of basket handles'],
  ]);
});

test.each([
  [{ prefix: '' }, TypeError, 'prefix of 1 to 16'],
  [{ prefix: 'bsk_' }, TypeError, 'prefix of 1 to 16'],
  [{ name: ' ' }, TypeError, '"name"'],
  [{ openedBy: '' }, TypeError, '"openedBy"'],
  [{ lifetime: 0 }, RangeError, 'lifetime'],
  [{ lifetime: Number.POSITIVE_INFINITY }, RangeError, 'lifetime'],
  [{ idle: Number.NaN }, RangeError, 'idle'],
  [{ perCaller: -1 }, RangeError, 'perCaller'],
  [{ lifetme: 5 }, TypeError, 'createHandles: there is no option "lifetme". Did you mean "lifetime"?'],
  [{ onEnd: 'free' as never }, TypeError, 'createHandles: onEnd must be a function.'],
])('options that cannot work are refused: %j', (options, kind, message) => {
  expect(() => baskets(options as never)).toThrow(kind);
  expect(() => baskets(options as never)).toThrow(message);
});

test('over the wire an unknown handle is an error of the tool that the model can read', async () => {
  shows('2026-07-28/server/tools/handle-expired', 'draft-tools/tools/handle-expired');
  const { handles } = baskets();
  const input = {
    type: 'object',
    properties: { basket: { type: 'string' } },
    required: ['basket'],
  } as const;
  const server = createServer({ name: 'test', version: '1' })
    .tool('create_basket', { description: handles.retention }, (_, ctx) => handles.open(ctx, ['milk']))
    .tool('show_basket', { input }, async ({ basket }, ctx) => (await handles.get(ctx, basket)).join());
  const peer = await WirePeer.open(server);
  const opened = await peer.request('tools/call', { name: 'create_basket' });
  const basket = opened.result?.content?.[0]?.text;
  const shown = await peer.request('tools/call', { name: 'show_basket', arguments: { basket } });
  expect(shown.result?.content?.[0]?.text).toBe('milk');
  const missed = await peer.request('tools/call', { name: 'show_basket', arguments: { basket: 'bsk_x' } });
  expect(missed.result?.isError).toBe(true);
  expect(missed.result?.content?.[0]?.text).toContain('call create_basket');
});
