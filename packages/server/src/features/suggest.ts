import { whenSettled } from '../handling.js';
import type { Completer, CompletionContext, CompletionReturn } from './completers.js';

/** How suggestions are chosen. */
export interface SuggestOptions {
  /** Also suggests values that hold what was typed with gaps, as "mnch" stands in "Munich". Default true. */
  readonly fuzzy?: boolean;
  /** Values looked at, in their order. Default 100,000. */
  readonly most?: number;
}

/** Values to choose from: a list, or what gives one for each request, for example from `ctx.chosen` or a database. */
export type SuggestSource =
  | readonly string[]
  | ((ctx: CompletionContext, typed: string) => readonly string[] | Promise<readonly string[]>);

const defaultMost = 100_000;
/** The most values an answer may carry. */
const mostTold = 100;
const longestTyped = 1_000;
const longestCompared = 1_000;

/**
 * A completer that suggests the values which fit what was typed, best first: the value itself, values that begin with
 * it, values with a word that does, values that hold it, and values that hold it with gaps; equals stay in the order of
 * the source. Case and accents make no difference.
 *
 * @param source - a list is taken as it is now.
 * @throws TypeError for a source that is neither a list of strings nor a function; RangeError for a bound that is not
 * positive.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export function suggest(source: SuggestSource, options: SuggestOptions = {}): Completer {
  const { most = defaultMost, fuzzy = true } = options;
  if (!(most > 0)) throw new RangeError('suggest(): "most" must be a positive number.');
  if (typeof source === 'function')
    return (typed, ctx) =>
      whenSettled(source(ctx, typed), (values) => rank(candidatesOf(values, most), typed, fuzzy));
  const values = checked(source).slice(0, most);
  let candidates: readonly Candidate[] | undefined;
  return (typed) => {
    candidates ??= candidatesOf(values, most);
    return rank(candidates, typed, fuzzy);
  };
}

interface Candidate {
  readonly value: string;
  readonly folded: string;
}

function candidatesOf(values: readonly string[], most: number): Candidate[] {
  const different = new Set(checked(values).slice(0, most));
  return Array.from(different, (value) => ({ value, folded: fold(value.slice(0, longestCompared)) }));
}

function checked(values: unknown): readonly string[] {
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values;
  throw new TypeError('suggest() takes a list of strings, or a function that gives one.');
}

const ascii = /^[\0-\x7f]*$/;
const accents = /[\u0300-\u036f]+/g;
const undecomposed: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ς', 'σ'],
]);

/** Text without case and accents. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(accents, '')
    .replace(/[ßæœøłđðþıς]/g, (letter) => undecomposed.get(letter) ?? letter);
}

/** How well a value fits, best first; none is undefined. */
type Fit = 0 | 1 | 2 | 3;

function rank(candidates: readonly Candidate[], typed: string, fuzzy: boolean): CompletionReturn {
  if (typed.length > longestTyped) return { values: [], total: 0 };
  const wanted = fold(typed);
  const fits: string[][] = [[], [], [], []];
  const loose: { readonly value: string; readonly span: number }[] = [];
  let total = 0;
  for (const { value, folded } of candidates) {
    const fit = fitOf(folded, wanted);
    if (fit !== undefined) fits[fit]?.push(value);
    else {
      const span = fuzzy ? spanOf(folded, wanted) : undefined;
      if (span === undefined) continue;
      loose.push({ value, span });
    }
    total++;
  }
  const values = fits.flat().slice(0, mostTold);
  if (values.length < mostTold && loose.length > 0) {
    loose.sort((left, right) => left.span - right.span);
    for (const { value } of loose.slice(0, mostTold - values.length)) values.push(value);
  }
  return { values, total };
}

function fitOf(folded: string, wanted: string): Fit | undefined {
  let at = folded.indexOf(wanted);
  if (at < 0) return undefined;
  if (at === 0) return folded.length === wanted.length ? 0 : 1;
  for (; at >= 0; at = folded.indexOf(wanted, at + 1)) if (beginsWord(folded, at)) return 2;
  return 3;
}

function beginsWord(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/** How many characters of a text hold all that is wanted, in its order; undefined when it does not. */
function spanOf(folded: string, wanted: string): number | undefined {
  let at = -1;
  let first = -1;
  for (const character of wanted) {
    at = folded.indexOf(character, at + 1);
    if (at < 0) return undefined;
    if (first < 0) first = at;
  }
  return at - first + 1;
}
