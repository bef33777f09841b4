import type { Automaton, Group } from './automaton.js';
import type { Syntax } from './syntax.js';

/** The most paths through a pattern for one text, in addition to those of repeats. */
const mostWays = 1_024;
/** This few paths need no closer analysis. */
const fewWays = 16;

/** True if a pattern's syntax may allow many paths for one text. */
export function mayHaveManyWays(syntax: Syntax): boolean {
  return writtenWays(syntax) > fewWays;
}

function writtenWays(syntax: Syntax): number {
  switch (syntax.kind) {
    case 'sequence':
      return syntax.parts.reduce((ways, part) => ways * writtenWays(part), 1);
    case 'choice':
      return waysOfChoice(syntax.parts);
    case 'repeat':
      return writtenWays(syntax.part) + (syntax.least === 0 && syntax.most === 1 ? 1 : 0);
    case 'look':
      return writtenWays(syntax.part);
    default:
      return 1;
  }
}

/** Branches of letters match the same text only if one begins with the other. */
function waysOfChoice(parts: readonly Syntax[]): number {
  const words = new Map<string, number>();
  let others = 0;
  for (const part of parts) {
    const word = wordOf(part);
    if (word === undefined) others += writtenWays(part);
    else words.set(word, (words.get(word) ?? 0) + 1);
  }
  const lengths = new Set(Array.from(words.keys(), (word) => word.length));
  let most = 0;
  for (const word of words.keys()) {
    let ways = 0;
    for (const length of lengths) if (length <= word.length) ways += words.get(word.slice(0, length)) ?? 0;
    most = Math.max(most, ways);
  }
  return others + most;
}

/** The text of a part that consists of letters and digits. */
function wordOf(part: Syntax): string | undefined {
  const parts = part.kind === 'sequence' ? part.parts : [part];
  let word = '';
  for (const one of parts) {
    if (one.kind !== 'character' || !/^\w$/.test(one.source)) return undefined;
    word += one.source;
  }
  return word;
}

/**
 * Returns an upper bound for the paths of one text through the automaton; each loop counts as one step.
 * @param groups - the places, each group after the groups that it leads to.
 * @throws Error if there are too many: a text that does not match would be tried on all of them.
 */
export function waysOf({ sets, first, follow }: Automaton, groups: readonly Group[]): number {
  const members = new Map<bigint, readonly number[]>();
  const ways = new Float64Array(sets.length);
  const onward = (places: Iterable<number>, apart?: ReadonlySet<number>): number => {
    const byCharacter: number[] = [];
    let most = 1;
    for (const place of places) {
      if (apart?.has(place) === true) continue;
      const set = sets[place] as bigint;
      let characters = members.get(set);
      if (characters === undefined) {
        characters = membersOf(set);
        members.set(set, characters);
      }
      for (const character of characters) {
        const sum = (byCharacter[character] ?? 0) + (ways[place] as number);
        byCharacter[character] = sum;
        if (sum > most) most = sum;
      }
    }
    if (most > mostWays) throw new Error(`a pattern has more than ${mostWays} ways to match one text`);
    return most;
  };
  for (const { places, isLoop } of groups) {
    let most = 1;
    for (const place of places)
      most = Math.max(most, onward(follow[place] as ReadonlySet<number>, isLoop ? places : undefined));
    for (const place of places) ways[place] = most;
  }
  return onward(first);
}

function membersOf(set: bigint): readonly number[] {
  const digits = set.toString(2);
  const members: number[] = [];
  for (let at = digits.length - 1; at >= 0; at--)
    if (digits[at] === '1') members.push(digits.length - 1 - at);
  return members;
}
