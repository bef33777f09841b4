import { type Automaton, automatonOf, Explosive, type Group, type WholePattern } from './automaton.js';
import { parsePattern, type Syntax } from './syntax.js';
import { mayHaveManyWays, waysOf } from './ways.js';
import { type PatternWork, spendWork } from './work.js';

export type { PatternWork } from './work.js';

/** The most characters of a pattern. */
const longest = 2_048;
const highest = 4;
/** Characters of a text matched per step. */
const charactersPerStep = 16;
/** The most pairs of places compared to find out whether a pattern can explode. */
const mostWork = 200_000;

/** The error for a pattern that is not a regular expression of ECMAScript, such as `(?i)a`. */
export class NotEcmaScript extends Error {
  override readonly name = 'NotEcmaScript';
  readonly pattern: string;

  constructor(pattern: string, options: ErrorOptions) {
    super(`a pattern is not a regular expression: ${JSON.stringify(pattern.slice(0, 80))}`, options);
    this.pattern = pattern;
  }
}

/** A regular expression that is not tested on texts that would take too long. */
export interface BoundedPattern {
  /** Calls `spend` with the number of steps before it tests. */
  test(text: string, spend: (steps: number) => void): boolean;
}

/**
 * Returns a pattern with a known cost.
 * @throws Error with the reason that the pattern is rejected.
 */
export function boundedPattern(pattern: string, work: PatternWork = { left: mostWork }): BoundedPattern {
  const { power, ways } = costOf(pattern, work);
  const expression = new RegExp(pattern, 'u');
  return {
    test(text, spend) {
      spend(Math.ceil((ways * (power === 1 ? text.length : text.length ** power)) / charactersPerStep));
      return expression.test(text);
    },
  };
}

/**
 * Returns the power of a text's length in the worst-case time of a pattern: 1 for most.
 * @throws Error with the reason that a pattern is rejected: not a regular expression, too long, or exponential.
 */
export function patternCost(pattern: string, work: PatternWork = { left: mostWork }): number {
  return costOf(pattern, work).power;
}

/** The cost of a pattern: a power of the text's length, and a factor. */
interface Cost {
  readonly power: number;
  readonly ways: number;
}

function costOf(pattern: string, work: PatternWork): Cost {
  if (pattern.length > longest) throw new Error(`a pattern is longer than ${longest} characters`);
  try {
    new RegExp(pattern, 'u');
  } catch (cause) {
    throw new NotEcmaScript(pattern, { cause });
  }
  const syntax = parsePattern(pattern);
  const cost = costOfPart(syntax, { pattern, work });
  const power = Math.max(1, (beginsAtStart(syntax) ? 0 : 1) + cost.power);
  if (power > highest) throw new Error('a pattern has too many repeats that overlap');
  return { power, ways: cost.ways };
}

/** The power is 0 without repeats. */
function costOfPart(syntax: Syntax, whole: WholePattern): Cost {
  const hasManyWays = mayHaveManyWays(syntax);
  if (!hasManyWays && !repeats(syntax)) return { power: 0, ways: 1 };
  const automaton = automatonOf(syntax, whole);
  const groups = groupsOf(automaton);
  for (const group of groups) if (group.isLoop) refuseExplosive(automaton, group.places, whole.work);
  const own = powerOfWays(automaton, groups, whole.work);
  let power = own;
  let ways = hasManyWays ? waysOf(automaton, groups) : 1;
  for (const { part, isRepeated } of automaton.looks) {
    const cost = costOfPart(part, whole);
    power = Math.max(power, cost.power + (isRepeated ? own : 0));
    ways *= cost.ways;
  }
  return { power, ways };
}

function repeats(syntax: Syntax): boolean {
  switch (syntax.kind) {
    case 'sequence':
    case 'choice':
      return syntax.parts.some(repeats);
    case 'look':
      return repeats(syntax.part);
    default:
      return syntax.kind === 'repeat' || syntax.kind === 'reference';
  }
}

/** True if the pattern is anchored at the start. Other patterns are tried from each character. */
function beginsAtStart(syntax: Syntax): boolean {
  if (syntax.kind === 'choice') return syntax.parts.every(beginsAtStart);
  if (syntax.kind !== 'sequence') return syntax.kind === 'start';
  const [first] = syntax.parts;
  return first !== undefined && beginsAtStart(first);
}

/**
 * Rejects a loop in which one text has two paths from a place back to it: each repeat doubles the ways to fail.
 * @throws Explosive
 */
function refuseExplosive({ sets, follow }: Automaton, places: ReadonlySet<number>, work: PatternWork): void {
  const count = sets.length;
  const cameFrom = new Map<number, number[]>();
  const open: number[] = [];
  for (const place of places) {
    cameFrom.set(place * count + place, []);
    open.push(place * count + place);
  }
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    for (const one of follow[Math.floor(pair / count)] as ReadonlySet<number>) {
      for (const other of follow[pair % count] as ReadonlySet<number>) {
        spendWork(work, 1);
        if (!places.has(one) || !places.has(other)) continue;
        if (((sets[one] as bigint) & (sets[other] as bigint)) === 0n) continue;
        const next = one * count + other;
        const known = cameFrom.get(next);
        if (known !== undefined) known.push(pair);
        else {
          cameFrom.set(next, [pair]);
          open.push(next);
        }
      }
    }
  }
  if (meetsAgain(cameFrom, count)) throw new Explosive();
}

/** True if two paths that parted at one place, with one text, meet again. */
function meetsAgain(cameFrom: ReadonlyMap<number, readonly number[]>, count: number): boolean {
  const isOne = (pair: number): boolean => Math.floor(pair / count) === pair % count;
  return [...cameFrom].some(([pair, from]) => isOne(pair) && from.some((before) => !isOne(before)));
}

/** Returns groups of places that can be reached from each other, each group after the groups that it leads to. */
function groupsOf({ follow }: Automaton): Group[] {
  const groups: Group[] = [];
  const order = new Map<number, number>();
  const stack: number[] = [];
  const isOpen = new Set<number>();
  const visit = (place: number): number => {
    const mine = order.size;
    order.set(place, mine);
    stack.push(place);
    isOpen.add(place);
    let lowest = mine;
    for (const next of follow[place] as ReadonlySet<number>) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (isOpen.has(next)) lowest = Math.min(lowest, order.get(next) as number);
    }
    if (lowest === mine) {
      const places = new Set(stack.splice(stack.indexOf(place)));
      for (const one of places) isOpen.delete(one);
      groups.push({ places, isLoop: places.size > 1 || follow[place]?.has(place) === true });
    }
    return lowest;
  };
  for (let place = 0; place < follow.length; place++) if (!order.has(place)) visit(place);
  return groups;
}

/**
 * Returns an upper bound for the power of a text's length in the number of paths through the automaton, plus one for the scan
 * along each. Every pair of loops that can share a text adds a power.
 * @see Weber and Seidl, On the degree of ambiguity of finite automata (1991)
 */
function powerOfWays(automaton: Automaton, groups: readonly Group[], work: PatternWork): number {
  const degrees = new Map<number, number>();
  const loops: Group[] = [];
  let highestYet = 0;
  for (const group of groups) {
    let degree = 0;
    for (const place of group.places)
      for (const next of automaton.follow[place] as ReadonlySet<number>)
        degree = Math.max(degree, degrees.get(next) ?? 0);
    for (const later of group.isLoop ? loops : []) {
      const [any = 0] = later.places;
      const added = 1 + (degrees.get(any) ?? 0);
      if (added > degree && sharesText(automaton, { from: group.places, to: later.places, work }))
        degree = added;
    }
    if (group.isLoop) loops.push(group);
    for (const place of group.places) degrees.set(place, degree);
    highestYet = Math.max(highestYet, degree);
  }
  return 1 + highestYet;
}

interface Search {
  readonly from: ReadonlySet<number>;
  readonly to: ReadonlySet<number>;
  readonly work: PatternWork;
}

/** True if a text leads from a place of the first loop back to it, on to the second, and around that one as well. */
function sharesText(automaton: Automaton, search: Search): boolean {
  for (const start of search.from)
    for (const end of search.to) if (meetsAt(automaton, [start, end], search)) return true;
  return false;
}

function meetsAt(automaton: Automaton, [start, end]: readonly [number, number], search: Search): boolean {
  const { sets, follow } = automaton;
  const count = sets.length;
  const known = new Set<number>();
  const open: (readonly [number, number, number])[] = [[start, start, end]];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const one of follow[at[0]] as ReadonlySet<number>) {
      if (!search.from.has(one)) continue;
      for (const two of follow[at[1]] as ReadonlySet<number>) {
        const both = (sets[one] as bigint) & (sets[two] as bigint);
        if (both === 0n) continue;
        for (const three of follow[at[2]] as ReadonlySet<number>) {
          if (!search.to.has(three) || (both & (sets[three] as bigint)) === 0n) continue;
          // A pattern that is too complicated counts as sharing.
          if (--search.work.left < 0 || (one === start && two === end && three === end)) return true;
          const key = (one * count + two) * count + three;
          if (known.has(key)) continue;
          known.add(key);
          open.push([one, two, three]);
        }
      }
    }
  }
  return false;
}
