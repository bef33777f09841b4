import { nearest } from './nearest.js';

/** What is wrong with a value, as a sentence about the place it stands at; undefined for what is right. */
export type Rule = (value: unknown, at: string) => string | undefined;

/** What an object may hold. */
export interface Members {
  readonly rules: Readonly<Record<string, Rule>>;
  /** What to do instead, for names that are often given by mistake. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** A rule for what a test decides; `is` completes the sentence "it must be ...". */
export function must(allows: (value: unknown) => boolean, is: string): Rule {
  return (value, at) => (allows(value) ? undefined : `${at} must be ${is}, not ${shown(value)}`);
}

/** A rule for a list whose items all follow another. */
export function listOf(rule: Rule, is: string): Rule {
  return (value, at) => {
    if (!Array.isArray(value)) return `${at} must be ${is}, not ${shown(value)}`;
    for (const [index, item] of value.entries()) {
      const flaw = rule(item, `${at}[${index}]`);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  };
}

/** A rule for an object that holds nothing but what it may. Members that are undefined are as if they were left out. */
export function objectOf(members: Members, is: string): Rule {
  return (value, at) =>
    isRecord(value) ? memberFlaw(value, members, at) : `${at} must be ${is}, not ${shown(value)}`;
}

/** What is wrong with the members of an object. */
export function memberFlaw(
  object: Readonly<Record<string, unknown>>,
  { rules, instead = {} }: Members,
  at: string,
): string | undefined {
  for (const [key, value] of Object.entries(object)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    const place = at === '' ? key : `${at}.${key}`;
    if (rule === undefined) return unknownMember(place, { key, known: Object.keys(rules), instead });
    const flaw = value === undefined ? undefined : rule(value, place);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function unknownMember(
  place: string,
  {
    key,
    known,
    instead,
  }: { key: string; known: readonly string[]; instead: Readonly<Record<string, string>> },
): string {
  const told = `there is no option ${JSON.stringify(place.slice(0, 100))}`;
  if (Object.hasOwn(instead, key)) return `${told}: ${instead[key]}`;
  const meant = nearest(key, known);
  return meant === undefined ? `${told}; there are ${known.join(', ')}` : `${told}; did you mean "${meant}"?`;
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
}
