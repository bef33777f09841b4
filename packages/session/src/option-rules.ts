/** What the value of an option must be. */
export interface OptionRule {
  /** The end of the sentence "it must be ...". */
  readonly is: string;
  readonly allows: (value: unknown) => boolean;
}

/** Rules that many options share. */
export const optionRules: Readonly<
  Record<'positive' | 'notNegative' | 'flag' | 'text' | 'texts' | 'callable' | 'object', OptionRule>
> = {
  positive: { is: 'a positive number', allows: (value) => typeof value === 'number' && value > 0 },
  notNegative: { is: 'a number, 0 or more', allows: (value) => typeof value === 'number' && value >= 0 },
  flag: { is: 'true or false', allows: (value) => typeof value === 'boolean' },
  text: { is: 'a text that is not empty', allows: isText },
  texts: { is: 'a list of texts', allows: (value) => Array.isArray(value) && value.every(isText) },
  callable: { is: 'a function', allows: (value) => typeof value === 'function' },
  object: { is: 'an object', allows: isRecord },
};

/** Rules by the names of the options there are; made once where options come with every call. */
export type OptionRules = ReadonlyMap<string, OptionRule>;

/**
 * Refuses options that are misspelt or of another type than they must be; those that are undefined are as if left out.
 * @param owner - what is given the options, as the message names it.
 * @throws TypeError that says what to write instead; RangeError for a number that is out of range.
 */
export function requireOptions<Options extends object>(
  owner: string,
  options: Options,
  rules: { readonly [Name in keyof Required<Options>]: OptionRule } | OptionRules,
): void {
  if (!isRecord(options)) throw new TypeError(`${owner} takes an object with options.`);
  const known: OptionRules =
    rules instanceof Map ? rules : new Map(Object.entries(rules as Readonly<Record<string, OptionRule>>));
  // Not by entries: this may stand before every call.
  for (const name of Object.keys(options)) {
    const value = options[name];
    const rule = known.get(name);
    if (rule === undefined) {
      const there = [...known.keys()].join(', ');
      throw new TypeError(`${owner}: there is no option ${JSON.stringify(name)}. There are: ${there}.`);
    }
    if (value === undefined || rule.allows(value)) continue;
    const told = `${owner}: ${name} must be ${rule.is}.`;
    throw typeof value === 'number' ? new RangeError(told) : new TypeError(told);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
