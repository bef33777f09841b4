import {
  anything,
  boolean,
  type Flaw,
  integer,
  list,
  mapOf,
  number,
  object,
  record,
  string,
  tagged,
  token,
  type WireCheck,
} from '../check.js';
import { isObject, type UnknownObject } from '../json.js';

/** Neutral value to wire value: pure, the same value where nothing changes, undefined to leave it out. */
export type Write = (value: unknown) => unknown;

/** One sort of value in one revision: how it is checked on the wire and how it is written there. */
export interface Kind {
  readonly check: WireCheck;
  readonly write: Write;
}

/** Kinds by member name. */
export type Parts = Readonly<Record<string, Kind>>;

/** A sort of object, open to later revisions through {@link grow}. */
export interface Definition extends Kind {
  readonly required: Parts;
  readonly optional: Parts;
  /** Members of the neutral model; undefined means no other member is written either. */
  readonly neutral: readonly string[] | undefined;
}

/** Leaves a value as it is. */
export const same: Write = (value) => value;

/** Leaves a value out. */
export const leftOut: Write = () => undefined;

/** A kind that is checked and written as it is. */
export function plain(check: WireCheck): Kind {
  return { check, write: same };
}

export const aString: Kind = plain(string);
export const aNumber: Kind = plain(number);
export const anInteger: Kind = plain(integer);
export const aBoolean: Kind = plain(boolean);
export const aRecord: Kind = plain(record);
export const aToken: Kind = plain(token);
export const aValue: Kind = plain(anything);

/** A kind that is made when it is first looked at: a process meets few of the messages of the revisions it speaks. */
export function lazily(check: () => WireCheck, write: () => Write): Kind {
  return new LazyKind(check, write);
}

class LazyKind implements Kind {
  readonly #makeCheck: () => WireCheck;
  readonly #makeWrite: () => Write;
  #check: WireCheck | undefined;
  #write: Write | undefined;

  constructor(check: () => WireCheck, write: () => Write) {
    this.#makeCheck = check;
    this.#makeWrite = write;
  }

  get check(): WireCheck {
    this.#check ??= this.#makeCheck();
    return this.#check;
  }

  get write(): Write {
    this.#write ??= this.#makeWrite();
    return this.#write;
  }
}

class LazyDefinition extends LazyKind implements Definition {
  readonly required: Parts;
  readonly optional: Parts;
  readonly neutral: readonly string[] | undefined;

  constructor(required: Parts, optional: Parts, neutral?: readonly string[]) {
    const parts = () => ({ ...required, ...optional });
    super(
      () => object(checksOf(required), checksOf(optional)),
      () => (neutral === undefined ? closed(parts()) : open(parts(), neutral)),
    );
    this.required = required;
    this.optional = optional;
    this.neutral = neutral;
  }
}

/** An object of the protocol: members it does not define are never written. */
export function define(required: Parts, optional: Parts = {}): Definition {
  return new LazyDefinition(required, optional);
}

/**
 * Params or a result: members of the neutral model that this revision lacks are never written; what no revision
 * defines passes.
 */
export function message(neutral: readonly string[], required: Parts, optional: Parts = {}): Definition {
  return new LazyDefinition(required, optional, neutral);
}

/** A definition with members added or replaced; what becomes optional is no longer required. */
export function grow(
  base: Definition,
  more: { readonly required?: Parts; readonly optional?: Parts },
): Definition {
  const added = more.optional ?? {};
  const kept = Object.entries(base.required).filter(([key]) => !Object.hasOwn(added, key));
  const required = { ...Object.fromEntries(kept), ...more.required };
  const optional = { ...base.optional, ...added };
  return new LazyDefinition(required, optional, base.neutral);
}

/** Lists; members whose write leaves them out are left out. */
export function listOf(item: Kind): Kind {
  return lazily(
    () => list(item.check),
    () => (item.write === same ? same : each(item.write)),
  );
}

/** Objects used as maps; members whose write leaves them out are left out. */
export function mapping(item: Kind): Kind {
  return lazily(
    () => mapOf(item.check),
    () => (item.write === same ? same : values(item.write)),
  );
}

/** Objects told apart by a string member. */
export interface Union extends Kind {
  readonly tag: string;
  readonly variants: Parts;
  readonly convert: Write;
}

class LazyUnion extends LazyKind implements Union {
  readonly tag: string;
  readonly variants: Parts;
  readonly convert: Write;

  constructor(tag: string, variants: Parts, convert: Write) {
    super(
      () => tagged(tag, checksOf(variants)),
      () => {
        const writes = writesOf(variants);
        return (value) => (isObject(value) ? (writes.get(value[tag]) ?? convert)(value) : value);
      },
    );
    this.tag = tag;
    this.variants = variants;
    this.convert = convert;
  }
}

/** A union by tag; `convert` writes the variants this revision lacks. */
export function union(tag: string, variants: Parts, convert: Write = leftOut): Union {
  return new LazyUnion(tag, variants, convert);
}

/** A union with variants added or replaced. */
export function widen(base: Union, variants: Parts): Union {
  return union(base.tag, { ...base.variants, ...variants }, base.convert);
}

/** Values told apart by `choose`, whose flaw is told; but a value that is sound as any of the kinds is sound. */
export function alternatives(kinds: readonly Kind[], choose: (value: UnknownObject) => Kind): Kind {
  return {
    check(value) {
      if (!isObject(value)) return record(value);
      const flaw = choose(value).check(value);
      if (flaw === undefined || kinds.some((kind) => kind.check(value) === undefined)) return undefined;
      return flaw;
    },
    write: (value) => (isObject(value) ? choose(value).write(value) : value),
  };
}

/** Objects told apart by which member they have: the first of `kinds` whose member is there, or else the last one. */
export function byMember(kinds: Parts, otherwise: Kind): Kind {
  const choices = Object.entries(kinds);
  return alternatives(
    [...Object.values(kinds), otherwise],
    (value) => choices.find(([member]) => value[member] !== undefined)?.[1] ?? otherwise,
  );
}

/** A kind whose written form is changed once more. */
export function finished(
  kind: Kind,
  last: (written: UnknownObject, neutral: UnknownObject) => unknown,
): Kind {
  return lazily(
    () => kind.check,
    () => {
      const { write } = kind;
      return (value) => {
        const written = write(value);
        return isObject(written) && isObject(value) ? last(written, value) : written;
      };
    },
  );
}

/** A flaw at the root of a value. */
export function flawed(text: string): Flaw {
  return { path: '', message: text };
}

function checksOf(parts: Parts): Record<string, WireCheck> {
  return Object.fromEntries(Object.entries(parts).map(([key, kind]) => [key, kind.check]));
}

function writesOf(parts: Parts): Map<unknown, Write> {
  return new Map(Object.entries(parts).map(([key, kind]) => [key, kind.write]));
}

function each(write: Write): Write {
  return (value) => {
    if (!Array.isArray(value)) return value;
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (write(item) !== item)
        return value.map((member) => write(member)).filter((member) => member !== undefined);
    }
    return value;
  };
}

function values(write: Write): Write {
  return (value) => {
    if (!isObject(value)) return value;
    const before = Object.entries(value);
    const after = before.map(([key, member]): [string, unknown] => [key, write(member)]);
    if (after.every(([, member], index) => member === before[index]?.[1])) return value;
    return Object.fromEntries(after.filter(([, member]) => member !== undefined));
  };
}

// Members that stay as they are are not even read, and a loop over the keys there are beats looking for absent ones.
function closed(parts: Parts): Write {
  const writes = writesOf(parts);
  return (value) => {
    if (!isObject(value)) return value;
    for (const key in value) {
      const write = writes.get(key);
      if (write === same) continue;
      const member = value[key];
      if (write?.(member) !== member) return copied(value, writes);
    }
    return value;
  };
}

function copied(value: UnknownObject, writes: ReadonlyMap<unknown, Write>): UnknownObject {
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = writes.get(key)?.(value[key]);
    if (member !== undefined) out[key] = member;
  }
  return out;
}

function open(parts: Parts, neutral: readonly string[]): Write {
  const writes = new Map<string, Write>();
  for (const [key, { write }] of Object.entries(parts)) if (write !== same) writes.set(key, write);
  for (const key of neutral) if (!Object.hasOwn(parts, key)) writes.set(key, leftOut);
  if (writes.size === 0) return same;
  return (value) => {
    if (!isObject(value)) return value;
    let out: Record<string, unknown> | undefined;
    let gaps = false;
    for (const key in value) {
      const write = writes.get(key);
      if (write === undefined) continue;
      const before = value[key];
      const after = write(before);
      if (after === before) continue;
      out ??= { ...value };
      out[key] = after;
      if (after === undefined) gaps = true;
    }
    return gaps ? withoutGaps(out) : (out ?? value);
  };
}

function withoutGaps(value: Record<string, unknown> = {}): UnknownObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
