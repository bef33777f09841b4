import {
  anything,
  boolean,
  integer,
  list,
  mapOf,
  number,
  object,
  record,
  rootProblem,
  string,
  tagged,
  token,
  type WireCheck,
} from '../json-rpc/check.js';
import { isObject, type UnknownObject } from '../json-rpc/json.js';
import {
  changed,
  type Relax,
  type RelaxedMember,
  relaxList,
  relaxMap,
  relaxObject,
  relaxRecord,
} from './relax.js';

/** Converts a neutral value to a wire value: pure; returns the same value if nothing changes, undefined to leave it out. */
export type Write = (value: unknown) => unknown;

/** The shape of a value in one revision: its check, its conversion to the wire, and a more lenient reading. */
export interface WireShape {
  readonly check: WireCheck;
  readonly write: Write;
  /** Applied to values that do not pass the check; undefined if it changes nothing. */
  readonly relax?: Relax | undefined;
}

/** Shapes by member name. */
export type Parts = Readonly<Record<string, WireShape>>;

/** The shape of an object. Later revisions extend it with {@link grow}. */
export interface ObjectShape extends WireShape {
  readonly required: Parts;
  readonly optional: Parts;
  /** Members of the neutral model; undefined means no other member is written either. */
  readonly neutral: readonly string[] | undefined;
  /** Optional members in any revision. Shapes that grow from each other share them. */
  readonly everywhere: Set<string>;
}

/** Leaves a value as it is. */
export const same: Write = (value) => value;

/** Leaves a value out. */
const leftOut: Write = () => undefined;

/** Returns a shape that writes values unchanged. */
export function plain(check: WireCheck): WireShape {
  return { check, write: same };
}

export const aString: WireShape = plain(string);
export const aNumber: WireShape = plain(number);
export const anInteger: WireShape = plain(integer);
export const aBoolean: WireShape = plain(boolean);
export const aRecord: WireShape = { ...plain(record), relax: relaxRecord };
export const aToken: WireShape = plain(token);
export const aValue: WireShape = plain(anything);

const expectedNoNull = rootProblem('expected no null');

/** Any value but null. */
export const notNull: WireShape = plain((value) => (value === null ? expectedNoNull : undefined));

/** The parts of a shape that is created when it is first used. */
interface LazyParts {
  readonly check: () => WireCheck;
  readonly write: () => Write;
  readonly relax?: (() => Relax | undefined) | undefined;
}

/** Returns a shape that is created when it is first used: a process meets few of the messages of its revisions. */
export function lazily(parts: LazyParts): WireShape {
  return new LazyShape(parts);
}

class LazyShape implements WireShape {
  readonly #parts: LazyParts;
  #check: WireCheck | undefined;
  #write: Write | undefined;
  #relax: Relax | undefined;

  constructor(parts: LazyParts) {
    this.#parts = parts;
  }

  get check(): WireCheck {
    this.#check ??= this.#parts.check();
    return this.#check;
  }

  get write(): Write {
    this.#write ??= this.#parts.write();
    return this.#write;
  }

  get relax(): Relax | undefined {
    this.#relax ??= this.#parts.relax?.();
    return this.#relax;
  }
}

class LazyObjectShape extends LazyShape implements ObjectShape {
  readonly required: Parts;
  readonly optional: Parts;
  readonly neutral: readonly string[] | undefined;
  readonly everywhere: Set<string>;

  /** @param foreign - members of other variants. Like members of other revisions, they are absent if they are null. */
  constructor(
    { required, optional, neutral }: Pick<ObjectShape, 'required' | 'optional' | 'neutral'>,
    everywhere: Set<string> = new Set(),
    foreign: readonly string[] = [],
  ) {
    const parts = { ...required, ...optional };
    const readable = () => ({
      ...withoutNull([...foreign, ...everywhere, ...(neutral ?? [])]),
      ...optional,
    });
    super({
      check: () => object(checksOf(required), checksOf(readable())),
      write: () => (neutral === undefined ? closed(parts) : open(parts, neutral)),
      relax: () => relaxObject(membersOf(required, readable())),
    });
    this.required = required;
    this.optional = optional;
    this.neutral = neutral;
    this.everywhere = everywhere;
    for (const key of Object.keys(optional)) everywhere.add(key);
  }
}

/**
 * An object of the protocol: members it does not define are never written.
 * @param elsewhere - optional members that other revisions define.
 */
export function define(
  required: Parts,
  optional: Parts = {},
  elsewhere: readonly string[] = [],
): ObjectShape {
  return new LazyObjectShape({ required, optional, neutral: undefined }, new Set(elsewhere));
}

/**
 * Params or a result: members of the neutral model that this revision lacks are never written; what no revision
 * defines passes.
 */
export function message(neutral: readonly string[], required: Parts, optional: Parts = {}): ObjectShape {
  return new LazyObjectShape({ required, optional, neutral });
}

/** An object that anyone may add members to, such as metadata or a schema: it is written as it is. */
export function openObject(required: Parts, optional: Parts = {}, write: Write = same): WireShape {
  return lazily({
    check: () => object(checksOf(required), checksOf(optional)),
    write: () => write,
    relax: () => relaxObject(membersOf(required, optional)),
  });
}

/** A shape with members added or replaced; what becomes optional is no longer required. */
export function grow(
  base: ObjectShape,
  more: { readonly required?: Parts; readonly optional?: Parts },
): ObjectShape {
  const added = more.optional ?? {};
  const kept = Object.entries(base.required).filter(([key]) => !Object.hasOwn(added, key));
  const required = { ...Object.fromEntries(kept), ...more.required };
  const optional = { ...base.optional, ...added };
  return new LazyObjectShape({ required, optional, neutral: base.neutral }, base.everywhere);
}

/** Lists. Members that are written as undefined are left out. */
export function listOf(item: WireShape): WireShape {
  return lazily({
    check: () => list(item.check),
    write: () => (item.write === same ? same : each(item.write)),
    relax: () => relaxList(() => item.relax),
  });
}

/** Objects used as maps. Members that are written as undefined are left out. */
export function mapping(item: WireShape): WireShape {
  return lazily({
    check: () => mapOf(item.check),
    write: () => (item.write === same ? same : (value) => changed(value, item.write)),
    relax: () => relaxMap(() => item.relax),
  });
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
    super({
      check: () => tagged(tag, checksOf(variants)),
      write: () => {
        const writes = writesOf(variants);
        return (value) => (isObject(value) ? (writes.get(value[tag]) ?? convert)(value) : value);
      },
      relax: () => {
        const table = new Map<unknown, WireShape>(Object.entries(variants));
        return (value, onRelaxed) =>
          (isObject(value) ? table.get(value[tag])?.relax?.(value, onRelaxed) : undefined) ?? value;
      },
    });
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
    relax: (value, onRelaxed) =>
      (isObject(value) ? choose(value).relax?.(value, onRelaxed) : undefined) ?? value,
  };
}

/** Values with a shape that `choose` returns. */
export function chosen(choose: (value: unknown) => WireShape): WireShape {
  return {
    check: (value) => choose(value).check(value),
    write: (value) => choose(value).write(value),
    relax: (value, onRelaxed) => choose(value).relax?.(value, onRelaxed),
  };
}

/** Objects with a variant that follows from their members: the first of `shapes` with its member present, or else the last one. */
export function byMember(shapes: Readonly<Record<string, ObjectShape>>, otherwise: ObjectShape): WireShape {
  const foreign = [...Object.values(shapes), otherwise].flatMap((shape) => [
    ...Object.keys(shape.required),
    ...Object.keys(shape.optional),
  ]);
  const variant = (shape: ObjectShape) => new LazyObjectShape(shape, shape.everywhere, foreign);
  const choices = Object.entries(shapes).map(([member, shape]) => [member, variant(shape)] as const);
  const last = variant(otherwise);
  return alternatives(
    [...choices.map(([, shape]) => shape), last],
    (value) => choices.find(([member]) => (value[member] ?? undefined) !== undefined)?.[1] ?? last,
  );
}

/** Returns a shape with a further change of the written form. */
export function finished(
  shape: WireShape,
  last: (written: UnknownObject, neutral: UnknownObject) => unknown,
): WireShape {
  return lazily({
    check: () => shape.check,
    write: () => {
      const { write } = shape;
      return (value) => {
        const written = write(value);
        return isObject(written) && isObject(value) ? last(written, value) : written;
      };
    },
    relax: () => shape.relax,
  });
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

function withoutNull(names: readonly string[]): Parts {
  return Object.fromEntries(names.map((name) => [name, notNull]));
}

function membersOf(required: Parts, optional: Parts): ReadonlyMap<string, RelaxedMember> {
  const all = new Map<string, RelaxedMember>();
  const add = (parts: Parts, isOptional: boolean): void => {
    for (const [key, { check, relax }] of Object.entries(parts))
      all.set(key, { check, relax, optional: isOptional });
  };
  add(optional, true);
  add(required, false);
  return all;
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
