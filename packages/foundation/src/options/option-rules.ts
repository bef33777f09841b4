import { isRecord } from '../text.js';
import { meantOption } from './nearest.js';

/** The rule for the value of an option. */
export interface OptionRule {
  /** The end of the sentence "it must be ...". */
  readonly is: string;
  readonly allows: (value: unknown) => boolean;
}

/** Rules of many options. */
export const optionRules: Readonly<
  Record<
    'positive' | 'notNegative' | 'flag' | 'text' | 'texts' | 'list' | 'callable' | 'object' | 'anything',
    OptionRule
  >
> = {
  positive: { is: 'a positive number', allows: (value) => typeof value === 'number' && value > 0 },
  notNegative: { is: 'a number, 0 or more', allows: (value) => typeof value === 'number' && value >= 0 },
  flag: { is: 'true or false', allows: (value) => typeof value === 'boolean' },
  text: { is: 'a text that is not empty', allows: isText },
  texts: { is: 'a list of texts', allows: (value) => Array.isArray(value) && value.every(isText) },
  list: { is: 'a list', allows: Array.isArray },
  callable: { is: 'a function', allows: (value) => typeof value === 'function' },
  object: { is: 'an object', allows: isRecord },
  /** For options that are checked where they are used. */
  anything: { is: 'anything', allows: () => true },
};

/** A rule for a whole number that is not too small. */
export function wholeNumber(least: number): OptionRule {
  return {
    is: `a whole number, ${least} or more`,
    allows: (value) => Number.isSafeInteger(value) && (value as number) >= least,
  };
}

/** A rule for a list of objects. @param each - completes the sentence "it must be a list, each of ...". */
export function listOf(
  each: string,
  allows: (one: Readonly<Record<string, unknown>>) => boolean,
): OptionRule {
  return {
    is: `a list, each of ${each}`,
    allows: (value) => Array.isArray(value) && value.every((one) => isRecord(one) && allows(one)),
  };
}

/** Returns one rule for several options. */
export function sameRule<Name extends string>(
  rule: OptionRule,
  ...names: readonly Name[]
): Record<Name, OptionRule> {
  return Object.fromEntries(names.map((name) => [name, rule])) as Record<Name, OptionRule>;
}

/** Rules by option name; created once if options come with every call. */
export type OptionRules = ReadonlyMap<string, OptionRule>;

/**
 * Rejects options that are misspelt or have the wrong type. An undefined option counts as absent.
 * @param owner - the function or object with the options, for the message.
 * @throws TypeError with the correct name or type; RangeError for a number that is out of range.
 */
export function requireOptions<Options extends object>(
  owner: string,
  options: Options,
  rules: { readonly [Name in keyof Required<Options>]: OptionRule } | OptionRules,
): void {
  if (!isRecord(options)) throw new TypeError(`${owner} takes an object with options.`);
  const known: OptionRules =
    rules instanceof Map ? rules : new Map(Object.entries(rules as Readonly<Record<string, OptionRule>>));
  // Not by entries: this may run before every call.
  for (const name of Object.keys(options)) {
    const value = options[name];
    const rule = known.get(name);
    if (rule === undefined) {
      const meant = meantOption(name, [...known.keys()]);
      throw new TypeError(`${owner}: there is no option ${JSON.stringify(name.slice(0, 100))}.${meant}`);
    }
    if (value === undefined || rule.allows(value)) continue;
    const problem = `${owner}: ${name} must be ${rule.is}.`;
    throw typeof value === 'number' ? new RangeError(problem) : new TypeError(problem);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/**
 * Fills in defaults. Tests and tools set the constants beside them with {@link otherBounds}.
 * @param constants - bounds that are not options.
 * @throws TypeError for an unknown limit; RangeError for a limit that is not a positive number.
 */
export function withDefaults<Limits extends object, Constants extends object = object>(
  defaults: Limits,
  given: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } | undefined,
  constants?: Constants,
): Limits & Constants {
  if (given === undefined && constants === undefined) return defaults as Limits & Constants;
  const limits = { ...constants, ...defaults } as Limits & Constants;
  if (given !== undefined) {
    setEach(limits, Object.keys(defaults), given);
    setEach(limits, Object.keys(limits), (given as OtherBounds)[otherBoundsKey]);
  }
  return limits;
}

/** Returns bounds that are not options: their values, but for those that {@link otherBounds} among the options has set. */
export function constantsOf<Constants extends object>(constants: Constants, options: object): Constants {
  const other = (options as OtherBounds)[otherBoundsKey];
  if (other === undefined) return constants;
  const bounds = { ...constants };
  setEach(bounds, Object.keys(constants), other);
  return bounds;
}

/**
 * Returns options that set bounds which are not options, for tests of what lies beyond them, and for tools that measure: `{ ...otherBounds({ batch: 2 }) }`.
 * The names are those of the constants of the part that receives the options; another name is an error there.
 */
export function otherBounds(values: Readonly<Record<string, number>>): object {
  return { [otherBoundsKey]: values };
}

const otherBoundsKey = Symbol('other bounds');

interface OtherBounds {
  readonly [otherBoundsKey]?: Readonly<Record<string, number>>;
}

function setEach(limits: object, known: readonly string[], given: object = {}): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!known.includes(name)) throw new TypeError(`Unknown limit "${name}".${meantOption(name, known)}`);
    if (typeof value !== 'number' || !(value > 0))
      throw new RangeError(`Limit ${name} must be a positive number.`);
    (limits as Record<string, unknown>)[name] = value;
  }
}
