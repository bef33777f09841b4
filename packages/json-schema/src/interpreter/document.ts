import {
  addSchemaTarget,
  isObject,
  noSchemaTargets,
  type SchemaTargets,
  subschemas,
  type UnknownObject,
} from '@tenon/json-schema/structure';

/** The size limits of a schema. */
export const documentLimits: {
  readonly depth: number;
  readonly schemas: number;
  readonly values: number;
  readonly patterns: number;
  /** The most characters of all patterns together. */
  readonly patternCharacters: number;
  /** The most characters of a URI in `$id`: looking up a reference or anchor takes time in proportion to it. */
  readonly uriCharacters: number;
} = {
  depth: 64,
  schemas: 10_000,
  values: 50_000,
  patterns: 256,
  patternCharacters: 8_192,
  uriCharacters: 512,
};

/** The target of a reference. */
export interface Target {
  readonly schema: unknown;
  readonly base: string;
}

const none: ReadonlyMap<string, UnknownObject> = new Map();

/** A schema with all subschemas: counted, and indexed by the names that references use. */
export class SchemaDocument {
  readonly targets: SchemaTargets = noSchemaTargets();
  readonly base: string;
  readonly root: UnknownObject;
  /** True if a part has `unevaluated` keywords, so that evaluated members must be tracked. */
  isTracking = false;
  /** True if a reference depends on the path of the evaluation. */
  isDynamic = false;
  readonly #bases = new Map<object, string>();
  readonly #dynamic = new Map<string, Map<string, UnknownObject>>();
  readonly #trusted: boolean;
  #schemas = 0;
  #values = 0;
  #patterns = 0;
  #patternCharacters = 0;

  /**
   * @param trusted - true to count neither patterns nor values.
   * @throws TypeError if the schema exceeds {@link documentLimits}.
   */
  constructor(root: UnknownObject, trusted = false) {
    this.root = root;
    this.#trusted = trusted;
    this.base = addSchemaTarget(this.targets, root, undefined);
    this.#take(root, this.base, 0);
  }

  /** Returns the base URI of a schema. `met` is the base for a schema that is not the value of a keyword. */
  baseOf(schema: object, met: string): string {
    let base = this.#bases.get(schema);
    if (base === undefined) {
      base = addSchemaTarget(this.targets, schema as UnknownObject, met);
      this.#take(schema as UnknownObject, base, 0);
    }
    return base;
  }

  /** Returns the schemas with a dynamic anchor, by the resource that contains them. */
  dynamic(anchor: string): ReadonlyMap<string, UnknownObject> {
    return this.#dynamic.get(anchor) ?? none;
  }

  #take(schema: UnknownObject, base: string, depth: number): void {
    if (this.#bases.has(schema)) return;
    if (base.length > documentLimits.uriCharacters)
      throw new TypeError(`an "$id" in it is longer than ${documentLimits.uriCharacters} characters`);
    this.#bases.set(schema, base);
    if (!this.#trusted) this.#count(schema);
    if (schema.unevaluatedItems !== undefined || schema.unevaluatedProperties !== undefined)
      this.isTracking = true;
    if (schema.$dynamicRef !== undefined) this.isDynamic = true;
    const { $dynamicAnchor: anchor } = schema;
    if (typeof anchor === 'string')
      this.#dynamic.set(anchor, (this.#dynamic.get(anchor) ?? new Map()).set(base, schema));
    if (schema.$recursiveRef !== undefined) throw new TypeError('$recursiveRef is not supported');
    for (const { schema: inner } of subschemas(schema)) {
      if (++this.#schemas > documentLimits.schemas)
        throw new TypeError(`it has more than ${documentLimits.schemas} parts`);
      if (!isObject(inner)) continue;
      if (depth >= documentLimits.depth)
        throw new TypeError(`it is nested deeper than ${documentLimits.depth} levels`);
      this.#take(inner, addSchemaTarget(this.targets, inner, base), depth + 1);
    }
  }

  #count(schema: UnknownObject): void {
    const { pattern, patternProperties } = schema;
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    if (typeof pattern === 'string') patterns.push(pattern);
    this.#patterns += patterns.length;
    if (this.#patterns > documentLimits.patterns)
      throw new TypeError(`it has more than ${documentLimits.patterns} patterns`);
    for (const one of patterns) this.#patternCharacters += one.length;
    if (this.#patternCharacters > documentLimits.patternCharacters)
      throw new TypeError(`its patterns are longer than ${documentLimits.patternCharacters} characters`);
    for (const data of [schema.enum, schema.const, schema.required]) this.#countValues(data, 0);
  }

  #countValues(value: unknown, depth: number): void {
    if (value === undefined) return;
    if (++this.#values > documentLimits.values)
      throw new TypeError(`it lists more than ${documentLimits.values} values`);
    if (typeof value !== 'object' || value === null) return;
    if (depth > documentLimits.depth)
      throw new TypeError(`it is nested deeper than ${documentLimits.depth} levels`);
    for (const one of Object.values(value)) this.#countValues(one, depth + 1);
  }
}
