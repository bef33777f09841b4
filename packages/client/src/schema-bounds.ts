import { isObject, type SchemaObject, type UnknownObject } from '@tenon/mcp-protocol';
import { patternCost } from './pattern-cost.js';

/** The dialects a schema of a peer may be written in. */
export type Dialect = '2020-12' | '2019-09' | '7';

/** A copy of a schema that is safe to interpret. */
export interface BoundedSchema {
  readonly schema: SchemaObject | boolean;
  readonly dialect: Dialect;
  /** Characters a string may have for every pattern to be tried on it in time. */
  readonly longestString: number;
  /** Members are compared with each other somewhere. */
  readonly comparesItems: boolean;
}

const deepest = 64;
const mostSchemas = 10_000;
const mostData = 50_000;
const mostPatterns = 64;
const steps = 1e8;

const dialects: ReadonlyMap<unknown, Dialect> = new Map<unknown, Dialect>([
  [undefined, '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft-07/schema', '7'],
]);

const single = new Set([
  ...['additionalItems', 'unevaluatedItems', 'items', 'contains', 'additionalProperties'],
  ...['unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
]);
const lists = new Set(['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf']);
const maps = new Set([
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]);
const refused = new Set([
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
]);
const plain = new Set([
  ...[
    '$anchor',
    'type',
    'enum',
    'const',
    'required',
    'dependentRequired',
    'maximum',
    'minimum',
    'exclusiveMaximum',
  ],
  ...[
    'exclusiveMinimum',
    'multipleOf',
    'maxLength',
    'minLength',
    'pattern',
    'maxItems',
    'minItems',
    'uniqueItems',
  ],
  ...['maxProperties', 'minProperties', 'maxContains', 'minContains'],
]);

/**
 * Copies a schema that came from a peer, keeping what is asserted (formats are annotations), so that interpreting the
 * copy takes bounded time. `onEvaluate` runs each time one of its parts is looked at.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 * @throws Error that says why a schema is refused: a dialect that is not known, a reference outside it, too deep, too
 * large, or a pattern that can take forever.
 */
export function boundSchema(schema: SchemaObject, onEvaluate: () => void): BoundedSchema {
  const stated = schema.$schema;
  const dialect = dialects.get(typeof stated === 'string' ? stated.replace(/#$/, '') : stated);
  if (dialect === undefined)
    throw new Error(`its dialect is not known: ${JSON.stringify(stated)?.slice(0, 80)}`);
  const copier = new Copier(onEvaluate);
  const copy = copier.copy(schema, 0);
  const { exponent, comparesItems } = copier;
  const longestString = exponent === 0 ? Number.POSITIVE_INFINITY : Math.floor(steps ** (1 / exponent));
  return { schema: copy, dialect, longestString, comparesItems };
}

class Copier {
  readonly #onEvaluate: () => void;
  #schemas = 0;
  #data = 0;
  #patterns = 0;
  exponent = 0;
  comparesItems = false;

  constructor(onEvaluate: () => void) {
    this.#onEvaluate = onEvaluate;
  }

  copy(schema: unknown, depth: number): SchemaObject | boolean {
    if (depth > deepest) throw new Error(`it is nested deeper than ${deepest}`);
    if (++this.#schemas > mostSchemas) throw new Error(`it has more than ${mostSchemas} parts`);
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) throw new Error('a part of it is neither an object nor true or false');
    const members: [string, unknown][] = [];
    for (const [key, value] of Object.entries(schema)) {
      const member = this.#member(key, value, depth);
      if (member !== undefined) members.push([key, member]);
    }
    const copy: UnknownObject = Object.fromEntries(members);
    // The interpreter reads this member, which it never sets, each time it comes by.
    Object.defineProperty(copy, '__absolute_recursive_ref__', { get: this.#onEvaluate, enumerable: false });
    return copy;
  }

  #member(key: string, value: unknown, depth: number): unknown {
    if (key === '$ref') return this.#reference(value);
    if (key === '$id' || key === 'id') return this.#identity(key, value, depth);
    if (refused.has(key)) throw new Error(`${key} is not supported`);
    if (Array.isArray(value) && lists.has(key)) return value.map((one) => this.copy(one, depth + 1));
    if (single.has(key)) return this.copy(value, depth + 1);
    if (maps.has(key)) return this.#map(key, value, depth);
    if (!plain.has(key)) return undefined;
    if (key === 'pattern') this.#notePattern(value);
    if (key === 'uniqueItems' && value === true) this.comparesItems = true;
    this.#countData(value, depth);
    return value;
  }

  #reference(value: unknown): unknown {
    if (typeof value === 'string' && value.startsWith('#')) return value;
    throw new Error('it refers to something outside itself');
  }

  // The identity of the whole changes nothing for references inside it; that of a part would.
  #identity(key: string, value: unknown, depth: number): undefined {
    if (typeof value === 'string' && depth > 0) throw new Error(`a part of it has an ${key} of its own`);
  }

  #map(key: string, value: unknown, depth: number): UnknownObject {
    if (!isObject(value)) throw new Error(`${key} is not an object`);
    const entries = Object.entries(value).map(([name, one]): [string, unknown] => {
      if (key === 'patternProperties') this.#notePattern(name);
      return [name, key === 'dependencies' && Array.isArray(one) ? one : this.copy(one, depth + 1)];
    });
    return Object.fromEntries(entries);
  }

  #notePattern(pattern: unknown): void {
    if (typeof pattern !== 'string') throw new Error('a pattern is not a string');
    if (++this.#patterns > mostPatterns) throw new Error(`it has more than ${mostPatterns} patterns`);
    this.exponent = Math.max(this.exponent, patternCost(pattern));
  }

  #countData(value: unknown, depth: number): void {
    if (++this.#data > mostData) throw new Error(`it lists more than ${mostData} values`);
    if (typeof value !== 'object' || value === null) return;
    if (depth > deepest) throw new Error(`it is nested deeper than ${deepest}`);
    for (const one of Object.values(value)) this.#countData(one, depth + 1);
  }
}
