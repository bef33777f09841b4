import { type BoundedPattern, boundedPattern, NotEcmaScript, type PatternWork } from '@tenon/json-schema';
import { resolveReference, type UnknownObject } from '@tenon/json-schema/structure';
import { assertions } from './assertions.js';
import { combinations } from './combinations.js';
import { SchemaDocument } from './document.js';
import { isObject, type Keyword, type Place, type SchemaDialect } from './keyword.js';
import { lists, unevaluatedInLists } from './lists.js';
import { objects, unevaluatedMembers } from './objects.js';
import type { Node } from './run.js';
import { Seen } from './seen.js';

/** Keywords in the order in which they are checked. */
export type Vocabulary = readonly (readonly [string, Keyword])[];

/** The assertion keywords of JSON Schema. */
export const vocabulary: Vocabulary = [
  ...assertions,
  ...combinations,
  ...lists,
  ...objects,
  ...unevaluatedInLists,
  ...unevaluatedMembers,
];

/** Keywords that a dialect does not have. */
const unknown: Readonly<Record<SchemaDialect, ReadonlySet<string>>> = {
  '2020-12': new Set(['additionalItems', 'dependencies']),
  '2019-09': new Set(['prefixItems', 'dependencies', '$dynamicRef']),
  'draft-07': new Set([
    ...['prefixItems', 'dependentRequired', 'dependentSchemas', '$dynamicRef'],
    ...['unevaluatedItems', 'unevaluatedProperties'],
  ]),
};

/** The most steps spent on analysing the patterns of one schema. */
const patternWork = 200_000;

const always: Node = (_value, run) => {
  run.spend(1);
  return true;
};
const never: Node = (_value, run) => {
  run.spend(1);
  return run.fail('boolean schema is false');
};

/** The way a schema is read. */
export interface Reading {
  readonly dialect: SchemaDialect;
  /** Keywords to check; default {@link vocabulary}. */
  readonly keywords?: Vocabulary;
  /** True for a schema that was checked at registration: its patterns and values are not counted again. */
  readonly trusted?: boolean;
  /** See `InterpretOptions`. */
  readonly uncheckedPattern?: UncheckedPattern | undefined;
}

/** Receives a pattern that is left unchecked. */
export type UncheckedPattern = (pattern: string) => void;

/** Keywords that can reject a value because a schema inside them accepts it. */
const inverting = new Set(['not', 'oneOf', 'if', 'contains']);

/** In place of a keyword that is left unchecked: it may have evaluated any member. */
const unchecked: Node = (given, _run, seen) => {
  seen?.addAllNames();
  if (Array.isArray(given)) seen?.addItems(given.length);
  return true;
};

/** Compiles a schema to a check. @throws TypeError with the reason that the schema is rejected. */
export function compileDocument(root: UnknownObject, reading: Reading): Node {
  return new Compiler(new SchemaDocument(root, reading.trusted), reading).root();
}

interface Cell {
  readonly schema: unknown;
  readonly base: string;
  readonly at: string;
  node: Node | undefined;
}

/** Compiles schemas to checks. Each reference target is compiled once, so that references may be circular. */
class Compiler {
  readonly #document: SchemaDocument;
  readonly #dialect: SchemaDialect;
  readonly #unknown: ReadonlySet<string>;
  /** Checks by schema: references may lead to every level of one branch, so each schema is compiled once. */
  readonly #compiled = new Map<UnknownObject, Node>();
  readonly #cells = new Map<unknown, Cell>();
  readonly #open: Cell[] = [];
  /** The targets of dynamic references, by anchor and by resource. */
  readonly #candidates = new Map<string, Map<string, Node>>();
  readonly #patterns = new Map<string, BoundedPattern>();
  readonly #work: PatternWork;
  readonly #keywords: Vocabulary;
  #uncheckedPattern: UncheckedPattern | undefined;

  constructor(document: SchemaDocument, reading: Reading) {
    const { dialect, keywords = vocabulary, trusted = false } = reading;
    this.#uncheckedPattern = reading.uncheckedPattern;
    this.#document = document;
    this.#dialect = dialect;
    this.#unknown = unknown[dialect];
    this.#keywords = keywords;
    this.#work = { left: trusted ? Number.POSITIVE_INFINITY : patternWork };
  }

  root(): Node {
    const { root, base } = this.#document;
    const node = this.#link(root, base, '');
    for (let cell = this.#open.pop(); cell !== undefined; cell = this.#open.pop())
      cell.node = this.#compile(cell.schema, cell.base, cell.at);
    return node;
  }

  #compile(schema: unknown, base: string, at: string): Node {
    if (schema === true) return always;
    if (schema === false) return never;
    if (!isObject(schema)) throw new TypeError(`schema${at} must be object,boolean`);
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const node = this.#checked(schema, base, at);
    this.#compiled.set(schema, node);
    return node;
  }

  #checked(schema: UnknownObject, base: string, at: string): Node {
    const checks = this.#checks(this.#place(schema, base, at));
    if (checks.length === 0) return this.#entering(schema, base, always);
    const [only] = checks;
    const isOwn = schema.unevaluatedItems !== undefined || schema.unevaluatedProperties !== undefined;
    if (isOwn) return this.#entering(schema, base, tracking(all(checks)));
    return this.#entering(
      schema,
      base,
      checks.length === 1 && only !== undefined ? counted(only) : all(checks),
    );
  }

  #checks(place: Place): Node[] {
    const { schema } = place;
    // Before 2019-09, keywords beside `$ref` are ignored.
    const isAlone = this.#dialect === 'draft-07' && typeof schema.$ref === 'string';
    const checks: Node[] = [];
    for (const [name, keyword] of this.#keywords) {
      if (!Object.hasOwn(schema, name) || schema[name] === undefined || this.#unknown.has(name)) continue;
      if (isAlone && name !== '$ref') continue;
      const check = this.#keyword(name, keyword, place);
      if (check !== undefined) checks.push(check);
    }
    return checks;
  }

  /** Compiles a keyword. If such patterns are left unchecked, a keyword with a pattern that cannot be read accepts everything. */
  #keyword(name: string, keyword: Keyword, place: Place): Node | undefined {
    const report = this.#uncheckedPattern;
    if (report === undefined) return keyword(place.schema[name], place);
    // Inside of it nothing is left unchecked, because that would reject values.
    if (inverting.has(name)) this.#uncheckedPattern = undefined;
    try {
      return keyword(place.schema[name], place);
    } catch (error) {
      if (!(error instanceof NotEcmaScript)) throw error;
      report(error.pattern);
      return name === 'pattern' ? undefined : unchecked;
    } finally {
      this.#uncheckedPattern = report;
    }
  }

  #place(schema: UnknownObject, base: string, at: string): Place {
    return {
      schema,
      at,
      base,
      dialect: this.#dialect,
      inner: (inner, ...keys) => {
        const innerBase = isObject(inner) ? this.#document.baseOf(inner, base) : base;
        return this.#compile(inner, innerBase, `${at}/${keys.join('/')}`);
      },
      pattern: (source) => this.#pattern(source),
      refer: (reference, keyword) => this.#refer(reference, keyword, { base, at }),
    };
  }

  #refer(
    reference: string,
    keyword: '$ref' | '$dynamicRef',
    { base, at }: { base: string; at: string },
  ): Node {
    const target = resolveReference(this.#document.targets, reference, base);
    if (target === 'remote') throw new TypeError('it refers to something outside itself');
    const { found } = target === 'dangling' ? { found: undefined } : target;
    if (!isObject(found) && typeof found !== 'boolean')
      throw new TypeError(`it refers to ${JSON.stringify(reference.slice(0, 200))}, which is not in it`);
    const foundBase = isObject(found) ? this.#document.baseOf(found, base) : base;
    const node = this.#link(found, foundBase, `${at}/${keyword}`);
    if (!this.#document.isDynamic) return node;
    const anchor = reference.slice(reference.indexOf('#') + 1);
    const isDynamic = keyword === '$dynamicRef' && this.#document.dynamic(anchor).get(foundBase) === found;
    return isDynamic ? this.#outermost(anchor, node) : scoped(foundBase, node);
  }

  /** Returns a check that uses the schema with the anchor in the outermost resource of the current evaluation. */
  #outermost(anchor: string, initial: Node): Node {
    const places = this.#document.dynamic(anchor);
    const candidates = this.#candidates.get(anchor) ?? new Map<string, Node>();
    this.#candidates.set(anchor, candidates);
    // Shared by all references to one anchor, because there may be as many references as targets.
    if (candidates.size < places.size)
      for (const [base, found] of places)
        candidates.set(base, scoped(base, this.#link(found, base, '/$dynamicRef')));
    return (value, run, seen) => {
      run.spend(run.scope.length >> 3);
      const base = run.scope.find((one) => candidates.has(one));
      return (base === undefined ? initial : (candidates.get(base) ?? initial))(value, run, seen);
    };
  }

  #pattern(source: string): BoundedPattern {
    let pattern = this.#patterns.get(source);
    if (pattern === undefined) {
      pattern = boundedPattern(source, this.#work);
      this.#patterns.set(source, pattern);
    }
    return pattern;
  }

  #link(schema: unknown, base: string, at: string): Node {
    let cell = this.#cells.get(schema);
    if (cell === undefined) {
      cell = { schema, base, at, node: undefined };
      this.#cells.set(schema, cell);
      this.#open.push(cell);
    }
    const linked = cell;
    return (value, run, seen) => (linked.node as Node)(value, run, seen);
  }

  #entering(schema: UnknownObject, base: string, node: Node): Node {
    const isResource = schema === this.#document.root || typeof schema.$id === 'string';
    return this.#document.isDynamic && isResource ? scoped(base, node) : node;
  }
}

function all(checks: readonly Node[]): Node {
  return (value, run, seen) => {
    run.spend(1);
    let fits = true;
    for (const check of checks) {
      if (check(value, run, seen)) continue;
      fits = false;
      if (run.quick) break;
    }
    return fits;
  };
}

function counted(check: Node): Node {
  return (value, run, seen) => {
    run.spend(1);
    return check(value, run, seen);
  };
}

/** Counts the evaluated members, for the `unevaluated` keywords. */
function tracking(node: Node): Node {
  return (value, run, seen) => {
    const own = new Seen();
    const fits = node(value, run, own);
    run.merge(seen, own);
    return fits;
  };
}

function scoped(base: string, node: Node): Node {
  return (value, run, seen) => {
    run.scope.push(base);
    try {
      return node(value, run, seen);
    } finally {
      run.scope.pop();
    }
  };
}
