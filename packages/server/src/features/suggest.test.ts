import { otherBounds } from '@tenon/foundation';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { takesAtMost } from '../../../../tooling/suite/effort.js';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { CompletionContext, CompletionReturn } from '../context/context.js';
import { createServer } from '../server.js';
import { type SuggestOptions, type SuggestSource, suggest } from './suggest.js';

const ctx = { chosen: {} } as CompletionContext;

async function found(source: SuggestSource, typed: string, options?: SuggestOptions) {
  const returned: CompletionReturn = await suggest(source, options)(typed, ctx);
  return returned as { readonly values: readonly string[]; readonly total: number };
}

const values = async (source: SuggestSource, typed: string, options?: SuggestOptions) =>
  (await found(source, typed, options)).values;

describe('suggests matching values', () => {
  test('best first: itself, its beginning, a word’s beginning, inside, with gaps', async () => {
    shows('2024-11-05/server/utilities/completion/sorted', '2026-07-28/server/utilities/completion/sorted');
    const cities = ['Sharpton', 'Wharf', 'Upper Har', 'Harlow', 'Highcastle River', 'Har', 'Oslo'];
    expect(await values(cities, 'har')).toEqual([
      'Har',
      'Harlow',
      'Upper Har',
      'Sharpton',
      'Wharf',
      'Highcastle River',
    ]);
  });

  test('in the order of the source for equal matches, and all values without typed text', async () => {
    const cities = ['Berlin', 'Aarhus', 'Bergen', 'Bern'];
    expect(await values(cities, 'ber')).toEqual(['Berlin', 'Bergen', 'Bern']);
    expect(await values(cities, '')).toEqual(cities);
  });

  test('with smaller gaps before larger ones', async () => {
    shows('2024-11-05/server/utilities/completion/fuzzy', '2026-07-28/server/utilities/completion/fuzzy');
    expect(await values(['m-n-c-h', 'm---n---c---h', 'munich'], 'mnch')).toEqual([
      'munich',
      'm-n-c-h',
      'm---n---c---h',
    ]);
  });

  test.each([
    ['zür', 'Zurich', '2024-11-05/server/utilities/completion/fuzzy'],
    ['zur', 'Zürich'],
    ['ZÜR', 'zürich'],
    ['sao', 'São Paulo', '2026-07-28/server/utilities/completion/fuzzy'],
    ['strasse', 'Lange Straße'],
    ['lodz', 'Łódź'],
    ['oe', 'Œuvre'],
    ['istanbul', 'İstanbul'],
    ['οδοσ', 'ΟΔΟΣ'],
    ['한', '한국'],
    ['ab', 'ＡＢＣ'],
  ])('whatever case and accents it has: %s finds %s', async (typed, value, ...ids) => {
    shows(...ids);
    expect(await values(['---', value], typed)).toEqual([value]);
  });

  test.each([
    ['user', 'get_user'],
    ['user', 'app/user'],
    ['user', 'app.user'],
    ['2', 'file 2'],
  ])('at the beginning of a word: %s in %s', async (typed, value) => {
    expect(await values([`x${typed}`, value], typed)).toEqual([value, `x${typed}`]);
  });

  test('once, however often the source has it', async () => {
    expect(await found(['Oslo', 'Oslo', 'Osaka'], 'os')).toEqual({ values: ['Oslo', 'Osaka'], total: 2 });
  });
});

test.each([
  ['osl', ['Oslo']],
  ['olo', []],
  ['xyz', []],
  ['Osloo', []],
])('without gaps allowed, %s finds %j', async (typed, expected) => {
  expect(await values(['Oslo'], typed, { fuzzy: false })).toEqual(expected);
});

test('copies a list; calls a function each time, with the chosen values', async () => {
  const cities = ['Oslo'];
  const fixed = suggest(cities);
  const source = vi.fn(async ({ chosen }: CompletionContext) => (chosen.country === 'NO' ? ['Oslo'] : []));
  const asked = suggest(source);
  cities.push('Osaka');
  expect(fixed('o', ctx)).toEqual({ values: ['Oslo'], total: 1 });
  expect(await asked('o', { chosen: { country: 'NO' } } as unknown as CompletionContext)).toEqual({
    values: ['Oslo'],
    total: 1,
  });
  expect(await asked('o', ctx)).toEqual({ values: [], total: 0 });
  expect(source.mock.calls.map(([, ...typed]) => typed)).toEqual([['o'], ['o']] as never);
});

describe('work is bounded', () => {
  const many = Array.from({ length: 150_000 }, (_, index) => `value ${index}`);

  test('returns a hundred of a hundred thousand values, and their total', async () => {
    const { values: suggested, total } = await found(many, 'value');
    expect(suggested).toEqual(many.slice(0, 100));
    expect(total).toBe(100_000);
    expect(await found(async () => many, 'value', otherBounds({ most: 7 }))).toMatchObject({ total: 7 });
  });

  test('values of a list are made ready once, not for each request', async () => {
    const list = many.slice(0, 20_000);
    const completer = suggest(list);
    await takesAtMost(
      0.5,
      () => completer('value 19', ctx),
      () => suggest(list)('value 19', ctx),
    );
  });

  test('limits the search in a value that repeats the typed text', async () => {
    const completerOf = (text: string) =>
      suggest(Array.from({ length: 500 }, (_, index) => `x${text}${index}`));
    const repeating = completerOf('a'.repeat(900));
    const plain = completerOf(`a${'b'.repeat(899)}`);
    await takesAtMost(
      100,
      () => repeating('a', ctx),
      () => plain('a', ctx),
    );
  });

  test('a text longer than any value could be finds nothing, and of long values the beginning counts', async () => {
    expect(await values(['x'.repeat(2_000)], 'x'.repeat(1_001))).toEqual([]);
    expect(await values([`a${'x'.repeat(2_000)}b`], 'a')).toHaveLength(1);
    expect(await values([`a${'x'.repeat(2_000)}b`], 'b')).toEqual([]);
  });
});

test.each([
  [() => suggest('Oslo' as never), 'list of strings'],
  [() => suggest([1] as never), 'list of strings'],
  [() => suggest([], { fuzy: false } as never), 'there is no option "fuzy"'],
])('rejects misuse at once: %#', (misuse, message) => {
  expect(misuse).toThrow(message);
});

test('reports a source without a list to the author, and not to the peer', async () => {
  const errors: unknown[] = [];
  const server = createServer(
    { name: 'test', version: '1' },
    { onError: (error) => errors.push(error) },
  ).prompt(
    'weather',
    { args: z.object({ city: z.string() }), complete: { city: suggest(() => 'Oslo' as never) } },
    () => 'x',
  );
  const peer = await WirePeer.open(server, latestStateless);
  const argument = { name: 'city', value: 'o' };
  const ref = { type: 'ref/prompt', name: 'weather' };
  const answer = await peer.request('completion/complete', { ref, argument });
  expect(answer.error).toEqual({ code: -32603, message: 'Internal error' });
  expect(errors).toEqual([expect.any(TypeError)]);
});

test('over the wire: at most a hundred values, with the number of all', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `city ${index}`);
  const server = createServer({ name: 'test', version: '1' }).prompt(
    'weather',
    { args: z.object({ city: z.string() }), complete: { city: suggest(names) } },
    () => 'x',
  );
  const peer = await WirePeer.open(server, latestStateless);
  const ref = { type: 'ref/prompt', name: 'weather' };
  const complete = async (value: string) =>
    (await peer.request('completion/complete', { ref, argument: { name: 'city', value } })).result
      ?.completion;
  expect(await complete('city')).toEqual({ values: names.slice(0, 100), total: 250, hasMore: true });
  expect(await complete('city 249')).toEqual({ values: ['city 249'], total: 1, hasMore: false });
});
