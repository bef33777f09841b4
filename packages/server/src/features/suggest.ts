import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
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
 * @throws TypeError for a source that is neither a list of strings nor a function, and for options that do not exist;
 * RangeError for a bound that is not positive.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export function suggest(source: SuggestSource, options: SuggestOptions = {}): Completer {
  requireOptions('suggest', options, { fuzzy: optionRules.flag, most: optionRules.positive });
  const { most = defaultMost, fuzzy = true } = options;
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
    .replace(/[\u0080-\uffff]/g, (letter) => undecomposed.get(letter) ?? letter);
}

/** Places of one value that are looked at for the beginning of a word. */
const mostLooks = 32;

/** How well a value fits, best first; none is undefined. */
type Fit = 0 | 1 | 2 | 3;

function rank(candidates: readonly Candidate[], typed: string, fuzzy: boolean): CompletionReturn {
  if (typed.length > longestTyped) return { values: [], total: 0 };
  const wanted = fold(typed);
  // By how well they fit; no more of each than can be told.
  const fits: string[][] = [[], [], [], []];
  let total = 0;
  for (const { value, folded } of candidates) {
    const fit = fitOf(folded, wanted) ?? (fuzzy ? looseFitOf(folded, wanted) : undefined);
    if (fit === undefined) continue;
    total++;
    fits[fit] ??= [];
    if (fits[fit].length < mostTold) fits[fit].push(value);
  }
  return { values: fits.flat().slice(0, mostTold), total };
}

function looseFitOf(folded: string, wanted: string): number | undefined {
  const span = spanOf(folded, wanted);
  return span === undefined ? undefined : 3 + span;
}

function fitOf(folded: string, wanted: string): Fit | undefined {
  let at = folded.indexOf(wanted);
  if (at < 0) return undefined;
  if (at === 0) return folded.length === wanted.length ? 0 : 1;
  for (let looks = 0; at >= 0 && looks < mostLooks; looks++) {
    if (beginsWord(folded, at)) return 2;
    at = folded.indexOf(wanted, at + 1);
  }
  return 3;
}

// Text until it is needed: a literal would be read with the file, and looking up classes of Unicode is slow.
const lettersAndDigits = '[\\p{L}\\p{N}]';
let letterOrDigit: RegExp | undefined;

function beginsWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (ascii.test(before)) return !/[a-z0-9]/.test(before);
  letterOrDigit ??= new RegExp(lettersAndDigits, 'u');
  return !letterOrDigit.test(before);
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
