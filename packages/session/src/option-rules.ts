import { meantOption } from '@tenon/mcp-protocol/internal';

/** The rule for the value of an option. */
export interface OptionRule {
  /** The end of the sentence "it must be ...". */
  readonly is: string;
  readonly allows: (value: unknown) => boolean;
}

/** Rules of many options. */
export const optionRules: Readonly<
  Record<'positive' | 'notNegative' | 'flag' | 'text' | 'texts' | 'callable' | 'object' | 'state', OptionRule>
> = {
  positive: { is: 'a positive number', allows: (value) => typeof value === 'number' && value > 0 },
  notNegative: { is: 'a number, 0 or more', allows: (value) => typeof value === 'number' && value >= 0 },
  flag: { is: 'true or false', allows: (value) => typeof value === 'boolean' },
  text: { is: 'a text that is not empty', allows: isText },
  texts: { is: 'a list of texts', allows: (value) => Array.isArray(value) && value.every(isText) },
  callable: { is: 'a function', allows: (value) => typeof value === 'function' },
  object: { is: 'an object', allows: isRecord },
  state: {
    is: 'shared state, such as redisState(url) of @tenon/mcp-state-redis',
    allows: (value) => isRecord(value) && 'kv' in value && 'bus' in value,
  },
};

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

/** The functions that create and accept the extensions of one end. */
export interface ExtensionMaker {
  /** The function that accepts the extensions. */
  readonly call: string;
  /** The package of `defineExtension`. */
  readonly from: string;
  /** The member that `defineExtension` adds. */
  readonly mark: symbol;
}

/** @throws TypeError if `defineExtension` of this end did not return the extension. */
export function requireExtensions(
  extensions: readonly unknown[],
  { call, from, mark }: ExtensionMaker,
): void {
  for (const [index, extension] of extensions.entries()) {
    if (isRecord(extension) && mark in extension) continue;
    const id = isRecord(extension) && isText(extension.id) ? String(extension.id).slice(0, 128) : undefined;
    const named = id === undefined ? '' : ` (${JSON.stringify(id)})`;
    throw new TypeError(
      `${call}: extensions[${index}]${named} was not returned by defineExtension of ${from}: write ` +
        `extensions: [defineExtension({ id: ${JSON.stringify(id ?? 'com.example/search')}, ... })].`,
    );
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
