import type { Automaton, Group } from './automaton.js';
import type { Syntax } from './syntax.js';

/** The most ways through a pattern that one text may have beside those that repeats give it. */
const mostWays = 1_024;
/** As many need no closer look. */
const fewWays = 16;

/** True for a pattern that may have many ways to take one text, by how it is written. */
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

/** Branches of letters alone are taken by the same text only where one begins with the other. */
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

/** The text a part stands for, if it is nothing but letters and digits. */
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
 * How many ways through the automaton one text may have at most, each loop counted as one step.
 * @param groups - the places, each group after those that it leads to.
 * @throws Error where there are too many: a text that fits none of them would be tried on all.
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
    if (most > mostWays) throw new Error(`a pattern has more than ${mostWays} ways to take one text`);
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
