import { isRecord, meantOption } from '@tenon/foundation';

/** Returns the problem of a value, as a sentence about its place; undefined if there is none. */
export type Rule = (value: unknown, at: string) => string | undefined;

/** The allowed members of an object. */
export interface Members {
  readonly rules: Readonly<Record<string, Rule>>;
  /** Advice for names that are often used by mistake. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** Returns a rule by a test; `is` completes the sentence "it must be ...". */
export function must(allows: (value: unknown) => boolean, is: string): Rule {
  return (value, at) => (allows(value) ? undefined : `${at} must be ${is}, not ${shown(value)}`);
}

/** Returns a rule for a list, with one rule for all items. */
export function listOf(rule: Rule, is: string): Rule {
  return (value, at) => {
    if (!Array.isArray(value)) return `${at} must be ${is}, not ${shown(value)}`;
    for (const [index, item] of value.entries()) {
      const problem = rule(item, `${at}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** Returns a rule for an object with only allowed members. Undefined members count as absent. */
export function objectOf(members: Members, is: string): Rule {
  return (value, at) =>
    isRecord(value) ? memberProblem(value, members, at) : `${at} must be ${is}, not ${shown(value)}`;
}

/** Returns the problem of an object's members. */
export function memberProblem(
  object: Readonly<Record<string, unknown>>,
  { rules, instead = {} }: Members,
  at: string,
): string | undefined {
  for (const [key, value] of Object.entries(object)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    const place = at === '' ? key : `${at}.${key}`;
    if (rule === undefined) {
      const unknown = `there is no option ${JSON.stringify(place.slice(0, 100))}`;
      if (Object.hasOwn(instead, key)) return `${unknown}: ${instead[key]}`;
      return `${unknown}.${meantOption(key, Object.keys(rules))}`;
    }
    const problem = value === undefined ? undefined : rule(value, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
}
