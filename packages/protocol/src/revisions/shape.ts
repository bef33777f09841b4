import {
  anything,
  boolean,
  integer,
  list,
  mapOf,
  number,
  object,
  type Problem,
  record,
  string,
  tagged,
  token,
  type WireCheck,
} from '../json-rpc/check.js';
import { isObject, type UnknownObject } from '../json-rpc/json.js';

/** Converts a neutral value to a wire value: pure; returns the same value if nothing changes, undefined to leave it out. */
export type Write = (value: unknown) => unknown;

/** The shape of a value in one revision: its check and its conversion to the wire. */
export interface WireShape {
  readonly check: WireCheck;
  readonly write: Write;
}

/** Shapes by member name. */
export type Parts = Readonly<Record<string, WireShape>>;

/** The shape of an object. Later revisions extend it with {@link grow}. */
export interface Definition extends WireShape {
  readonly required: Parts;
  readonly optional: Parts;
  /** Members of the neutral model; undefined means no other member is written either. */
  readonly neutral: readonly string[] | undefined;
}

/** Leaves a value as it is. */
export const same: Write = (value) => value;

/** Leaves a value out. */
export const leftOut: Write = () => undefined;

/** Returns a shape that writes values unchanged. */
export function plain(check: WireCheck): WireShape {
  return { check, write: same };
}

export const aString: WireShape = plain(string);
export const aNumber: WireShape = plain(number);
export const anInteger: WireShape = plain(integer);
export const aBoolean: WireShape = plain(boolean);
export const aRecord: WireShape = plain(record);
export const aToken: WireShape = plain(token);
export const aValue: WireShape = plain(anything);

/** Returns a shape that is created when it is first used: a process meets few of the messages of its revisions. */
export function lazily(check: () => WireCheck, write: () => Write): WireShape {
  return new LazyShape(check, write);
}

class LazyShape implements WireShape {
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

class LazyDefinition extends LazyShape implements Definition {
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

/** Lists. Members that are written as undefined are left out. */
export function listOf(item: WireShape): WireShape {
  return lazily(
    () => list(item.check),
    () => (item.write === same ? same : each(item.write)),
  );
}

/** Objects used as maps. Members that are written as undefined are left out. */
export function mapping(item: WireShape): WireShape {
  return lazily(
    () => mapOf(item.check),
    () => (item.write === same ? same : values(item.write)),
  );
}

/** Objects with a string member that names their variant. */
export interface Union extends WireShape {
  readonly tag: string;
  readonly variants: Parts;
  readonly convert: Write;
}

class LazyUnion extends LazyShape implements Union {
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

/** Values with a variant that `choose` returns; a problem is reported for that variant. A value that fits any variant is valid. */
export function alternatives(
  shapes: readonly WireShape[],
  choose: (value: UnknownObject) => WireShape,
): WireShape {
  return {
    check(value) {
      if (!isObject(value)) return record(value);
      const problem = choose(value).check(value);
      if (problem === undefined || shapes.some((shape) => shape.check(value) === undefined)) return undefined;
      return problem;
    },
    write: (value) => (isObject(value) ? choose(value).write(value) : value),
  };
}

/** Objects with a variant that follows from their members: the first of `shapes` with its member present, or else the last one. */
export function byMember(shapes: Parts, otherwise: WireShape): WireShape {
  const choices = Object.entries(shapes);
  return alternatives(
    [...Object.values(shapes), otherwise],
    (value) => choices.find(([member]) => value[member] !== undefined)?.[1] ?? otherwise,
  );
}

/** Returns a shape with a further change of the written form. */
export function finished(
  shape: WireShape,
  last: (written: UnknownObject, neutral: UnknownObject) => unknown,
): WireShape {
  return lazily(
    () => shape.check,
    () => {
      const { write } = shape;
      return (value) => {
        const written = write(value);
        return isObject(written) && isObject(value) ? last(written, value) : written;
      };
    },
  );
}

/** Returns a problem at the root of a value. */
export function rootProblem(text: string): Problem {
  return { path: '', message: text };
}

function checksOf(parts: Parts): Record<string, WireCheck> {
  return Object.fromEntries(Object.entries(parts).map(([key, shape]) => [key, shape.check]));
}

function writesOf(parts: Parts): Map<unknown, Write> {
  return new Map(Object.entries(parts).map(([key, shape]) => [key, shape.write]));
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

// Unchanged members are not read, and a loop over the present keys is faster than a lookup of absent ones.
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
