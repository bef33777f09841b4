import { constantsOf, optionRules, requireOptions } from '@tenon/foundation';
import type { Completer, CompletionContext, CompletionReturn } from '../context/context.js';
import { whenSettled } from '../run/run.js';

/** Options of suggestions. */
export interface SuggestOptions {
  /** True to suggest also values that contain the typed characters with gaps, such as "mnch" in "Munich". Default: true. */
  readonly fuzzy?: boolean;
}

/** The values to choose from: a list, or a function that returns one for each request, for example from `ctx.chosen` or a database. */
export type SuggestSource =
  | readonly string[]
  | ((ctx: CompletionContext, typed: string) => readonly string[] | Promise<readonly string[]>);

/** The most values that are searched, in their order. */
const bounds = { most: 100_000 };
/** The most values in a response. */
const mostSuggested = 100;
const longestTyped = 1_000;
const longestCompared = 1_000;

/**
 * Returns a completer that suggests the values that match the typed text, best first: the value itself, values that begin with
 * it, values with a word that does, values that contain it, and values that contain it with gaps; equal matches keep the order of
 * the source. Case and accents make no difference.
 *
 * @param source - a list is copied now.
 * @throws TypeError if the source is neither a list of strings nor a function, or an option is unknown.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export function suggest(source: SuggestSource, options: SuggestOptions = {}): Completer {
  requireOptions('suggest', options, { fuzzy: optionRules.flag });
  const { most } = constantsOf(bounds, options);
  const { fuzzy = true } = options;
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

/** Returns a text without case and accents. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(accents, '')
    .replace(/[\u0080-\uffff]/g, (letter) => undecomposed.get(letter) ?? letter);
}

/** The most positions of one value that are searched for the beginning of a word. */
const mostLooks = 32;

/** The rank of a match, 0 for the best. */
type Fit = 0 | 1 | 2 | 3;

function rank(candidates: readonly Candidate[], typed: string, fuzzy: boolean): CompletionReturn {
  if (typed.length > longestTyped) return { values: [], total: 0 };
  const wanted = fold(typed);
  // Matches by rank; of each rank not more than one response can carry.
  const fits: string[][] = [[], [], [], []];
  let total = 0;
  for (const { value, folded } of candidates) {
    const fit = fitOf(folded, wanted) ?? (fuzzy ? looseFitOf(folded, wanted) : undefined);
    if (fit === undefined) continue;
    total++;
    fits[fit] ??= [];
    if (fits[fit].length < mostSuggested) fits[fit].push(value);
  }
  return { values: fits.flat().slice(0, mostSuggested), total };
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

// A string until it is needed: a literal would be compiled with the file, and looking up Unicode classes is slow.
const lettersAndDigits = '[\\p{L}\\p{N}]';
let letterOrDigit: RegExp | undefined;

function beginsWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (ascii.test(before)) return !/[a-z0-9]/.test(before);
  letterOrDigit ??= new RegExp(lettersAndDigits, 'u');
  return !letterOrDigit.test(before);
}

/** Returns the length of the text that contains all wanted characters in order; undefined if there is none. */
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
