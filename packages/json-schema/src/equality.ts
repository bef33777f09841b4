import { isObject } from '@tenon/json-schema/structure';

/** Called with the number of steps of the next comparison; may throw to stop it. */
export type Spend = (steps: number) => void;

/** Steps for writing or finding one part of a value, in addition to its length. */
const partSteps = 8;

/** Returns a text that is the same for two JSON values exactly if JSON Schema calls them equal. */
export function canonicalText(value: unknown, spend: Spend): string {
  if (typeof value === 'string') {
    spend(partSteps + (value.length >> 4));
    return JSON.stringify(value);
  }
  spend(partSteps);
  if (Array.isArray(value)) return `[${value.map((one) => canonicalText(one, spend)).join(',')}]`;
  if (!isObject(value)) return String(JSON.stringify(value));
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    if (value[name] !== undefined)
      members.push(`${canonicalText(name, spend)}:${canonicalText(value[name], spend)}`);
  }
  return `{${members.join(',')}}`;
}

/** A set of JSON values that finds its members by value. */
export class ValueSet {
  readonly #plain = new Map<unknown, number>();
  readonly #texts = new Map<string, number>();

  /** Adds a value with a number. If an equal value is in the set, returns the number of that value instead. */
  add(value: unknown, number: number, spend: Spend): number | undefined {
    const [map, key] = this.#place(value, spend);
    const known = map.get(key);
    if (known === undefined) map.set(key, number);
    return known;
  }

  has(value: unknown, spend: Spend): boolean {
    if (isPlain(value)) return this.#plain.has(value);
    return this.#texts.size > 0 && this.#texts.has(canonicalText(value, spend));
  }

  #place(value: unknown, spend: Spend): [Map<unknown, number>, unknown] {
    return isPlain(value) ? [this.#plain, value] : [this.#texts, canonicalText(value, spend)];
  }
}

/** Returns the indices of the first two equal members of a list, in time proportional to its size. */
export function firstDuplicate(
  list: readonly unknown[],
  spend: Spend,
): readonly [first: number, second: number] | undefined {
  const known = new ValueSet();
  for (let index = 0; index < list.length; index++) {
    spend(partSteps);
    const first = known.add(list[index], index, spend);
    if (first !== undefined) return [first, index];
  }
  return undefined;
}

/** The problem of an integer that JSON.parse may have read as another one: 9007199254740993 becomes 9007199254740992. */
export const inexactInteger =
  'must be from -(2^53 - 1) to 2^53 - 1: larger integers are read as other numbers';

/** True if a number is a whole multiple of the divisor, in decimal arithmetic. */
export function isMultiple(value: number, divisor: number, spend: Spend): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const shift = exponent - divisorExponent;
  spend(partSteps + (Math.abs(shift) >> 1));
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n;
}

function decimal(value: number): [digits: bigint, exponent: number] {
  const [coefficient = '0', exponent = '0'] = Math.abs(value).toString().split('e');
  const [whole = '0', fraction = ''] = coefficient.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
