import { describe, expect, it } from 'vitest';
import { takesAtMost } from '../../../../tooling/suite/effort.js';
import { boundedPattern, patternCost } from './cost.js';

describe('patternCost', () => {
  it.each([
    ['abc', 1],
    ['^[a-z]{2}$', 1],
    ['^a?b$', 1],
    ['^[+*(]$', 1],
    ['^\\w+$', 1],
    ['\\w+', 2],
    ['^(?:ab){1,3}$', 1],
    ['^(foo|bar)?$', 1],
    ['^\\d{4,}-\\d{40}$', 1],
    ['^[^@]+@[^@]+$', 1],
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 1],
    ['^(?:[a-z0-9-]+\\.)+[a-z]{2,}$', 1],
    ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?Z$', 1],
    ['^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-[\\w.]+)?$', 1],
    ['^#(?:[0-9a-f]{3}){1,2}$', 1],
    ['^.*x$', 1],
    ['^.*x.*y$', 2],
    ['^(?=.*\\d)(?=.*[a-z])[^]{8,}$', 1],
    ['^.*(?=.*b)c', 2],
    ['^https?://[^/]+/.*$', 1],
    ['^(?:a|b)+$|^c*$', 1],
    [
      `^(?:${Array.from({ length: 26 * 20 }, (_, at) => String.fromCharCode(65 + (at % 26), 65 + at / 26)).join('|')})$`,
      1,
    ],
    ['^[+-]?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?:px)?(?: ?!)?$', 1],
    ['^\\p{L}+(?:[ -]\\p{L}+)*$', 1],
    ['^[\\]a-c]+\\u{1F600}*$', 1],
    ['^(["\']).*\\1$', 2],
  ])('%.60s costs the power %i', (pattern, cost) => {
    expect(patternCost(pattern)).toBe(cost);
  });

  it.each([
    ['^(a+)+$', 'repeats what repeats'],
    ['(a+)+$', 'repeats what repeats'],
    ['((a|aa))*b', 'branches overlap'],
    ['(a|a)*b', 'branches overlap'],
    ['(a|[a-c])+$', 'branches overlap'],
    ['(.*a){11}', 'branches overlap'],
    ['^(\\w+\\s?)+$', 'branches overlap'],
    ['^(a?b?)*$', 'repeats what repeats'],
    ['(?:a*b?){50}', 'repeats what repeats'],
    ['^(?:a?){50}a{50}$', 'repeats what repeats'],
    ['^([^,]*,?)*$', 'repeats what repeats'],
    ['^(?:\\d+|\\w+)*!$', 'branches overlap'],
    ['^(?=(a+)+$)', 'repeats what repeats'],
    ['^([\\u0400-\\u0500]|[\\u0480-\\u0490])+$', 'branches overlap'],
    ['a*a*a*a*a*b', 'too many repeats'],
    [`^${'(a|a)'.repeat(24)}$`, 'ways to match one text'],
    [`^${'(?:a|[a-c]b?)'.repeat(24)}$`, 'ways to match one text'],
    [`^${'a?'.repeat(20)}${'a'.repeat(20)}$`, 'ways to match one text'],
    [`^b*${'a?'.repeat(20)}$`, 'ways to match one text'],
    [`^(?=${'(a|a)'.repeat(24)}b)a*$`, 'ways to match one text'],
    ['(', 'not a regular expression'],
    ['a'.repeat(2_049), 'longer than 2048'],
  ])('rejects %.60s', (pattern, why) => {
    expect(() => patternCost(pattern)).toThrow(why);
  });

  it('spends the steps for the length of the text before it tests', () => {
    const spent: number[] = [];
    const spend = (steps: number): void => void spent.push(steps);
    expect(boundedPattern('^a*$').test('a'.repeat(1_600), spend)).toBe(true);
    expect(boundedPattern('a*b').test('a'.repeat(160), spend)).toBe(false);
    expect(boundedPattern(`^${'a?'.repeat(8)}b$`).test('a'.repeat(16), spend)).toBe(false);
    expect(spent).toEqual([100, 1_600, 128]);
  });
});

describe('accepted patterns take no more time than their cost:', () => {
  it.each([
    ['^.*x.*y$', 'x'],
    ['^(?:[a-z0-9-]+\\.)+[a-z]{2,}$', 'a.'],
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'a-'],
    ['\\w+@', 'a'],
    ['^\\d+\\.?\\d*[a-c]*$', '1'],
  ])('%s', async (pattern, piece) => {
    // The longest text that 400,000 steps allow, which fails at its very end.
    const length = Math.floor((400_000 * 16) ** (1 / patternCost(pattern)));
    const text = `${piece.repeat(length / piece.length)}\u0000`.slice(-100_000);
    // Takes as many steps with the square of its length.
    const plain = 'a'.repeat((400_000 * 16) ** (1 / 2));
    await takesAtMost(
      20,
      () => new RegExp(pattern, 'u').test(text),
      () => /a*b/u.test(plain),
    );
  });
});

it.each([
  ['optional letters', 'a?'.repeat(500)],
  [
    'classes of Unicode',
    Array.from({ length: 180 }, (_, at) => `[\\p{L}${String.fromCodePoint(0x4e00 + at)}]?`).join(''),
  ],
])('many %s are found too much work before they take long', async (_, pattern) => {
  const spendAll = (costly: string) => {
    const work = { left: 200_000 };
    for (let time = 0; time < 4_000 && work.left >= 0; time++) {
      try {
        patternCost(costly, work);
      } catch {
        // The reason of the rejection does not matter.
      }
    }
    expect(work.left).toBeLessThan(0);
  };
  await takesAtMost(
    20,
    () => spendAll(pattern),
    () => spendAll('^[a-z0-9]+(?:-[a-z0-9]+)*$'),
  );
});
