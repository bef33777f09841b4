import type { WireCheck } from '../json-rpc/check.js';
import { isObject } from '../json-rpc/json.js';

/** The name of a leniency; the table of leniencies describes each. */
export type LeniencyName =
  | 'null-member'
  | 'empty-list'
  | 'no-content'
  | 'tool-result'
  | 'text-id'
  | 'empty-cursor'
  | 'boolean-property'
  | 'untyped-schema'
  | 'malformed-item'
  | 'probe-error-500';

/** A leniency that was applied to one message. */
export interface Allowance {
  readonly leniency: LeniencyName;
  /** Details of the message, as a sentence. */
  readonly detail?: string;
}

/** Receives a leniency that was applied. */
type OnRelaxed = (leniency: LeniencyName) => void;

/**
 * Reads null as an absent member, and an empty list as an empty object, of members that the protocol defines. Applied to
 * messages that do not pass their check. Pure; returns the same value if nothing changes.
 */
export type Relax = (value: unknown, onRelaxed: OnRelaxed) => unknown;

/** A member of an object. */
export interface RelaxedMember {
  readonly check: WireCheck;
  readonly relax?: Relax | undefined;
  readonly optional: boolean;
}

/** Reads an empty list as an empty object. */
export const relaxRecord: Relax = (value, onRelaxed) => {
  if (!Array.isArray(value) || value.length > 0) return value;
  onRelaxed('empty-list');
  return {};
};

/** Reads an object with these members. Other members are left alone. */
export function relaxObject(members: ReadonlyMap<string, RelaxedMember>): Relax {
  return (value, onRelaxed) =>
    changed(relaxRecord(value, onRelaxed), (member, key) => {
      const known = members.get(key);
      if (known === undefined) return member;
      return member === null ? relaxNull(known, onRelaxed) : (known.relax?.(member, onRelaxed) ?? member);
    });
}

/** Reads the items of a list. */
export function relaxList(item: () => Relax | undefined): Relax {
  return (value, onRelaxed) => {
    const relax = item();
    if (!Array.isArray(value) || relax === undefined) return value;
    const after = value.map((one) => relax(one, onRelaxed));
    return after.some((one, index) => one !== value[index]) ? after : value;
  };
}

/** Reads an object used as a map. Null stays null: no entry of a map is defined by the protocol. */
export function relaxMap(item: () => Relax | undefined): Relax {
  return (value, onRelaxed) => {
    const relax = item();
    const read = relaxRecord(value, onRelaxed);
    return relax === undefined ? read : changed(read, (member) => relax(member, onRelaxed));
  };
}

/** Reads a null member: it is absent, or if it is required, an empty object. Null stays where it is a value of the member. */
function relaxNull({ check, optional }: RelaxedMember, onRelaxed: OnRelaxed): unknown {
  if (check(null) === undefined || (!optional && check({}) !== undefined)) return null;
  onRelaxed('null-member');
  return optional ? undefined : {};
}

/** Returns an object with its members changed. Members that become undefined are left out. */
export function changed(value: unknown, change: (member: unknown, key: string) => unknown): unknown {
  if (!isObject(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([key, member]): [string, unknown] => [key, change(member, key)]);
  if (after.every(([, member], index) => member === before[index]?.[1])) return value;
  return Object.fromEntries(after.filter(([, member]) => member !== undefined));
}
