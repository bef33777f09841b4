import {
  addSchemaTarget,
  isObject,
  noSchemaTargets,
  resolveReference,
  type SchemaTargets,
  subschemas,
  type UnknownObject,
} from '@tenon/json-schema/structure';

/** A schema is compiled if it looks at each part of a value at most this often; otherwise it is interpreted step by step. */
const mostLooks = 64;
/** The choices compared in the time of one look. */
const choicesPerLook = 16;

const inPlace = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);
const oneOfThese = new Set(['properties', 'prefixItems']);
const apart = new Set(['$defs', 'definitions', 'contentSchema']);
/** Validators that generate code deviate from JSON Schema in these keywords. */
const notForCompilers = ['$dynamicRef', 'contains', 'unevaluatedItems', 'unevaluatedProperties'];

/**
 * True if a schema must be interpreted: it refers to itself or branches very often, so that compiled code could take far
 * longer than the size of the value suggests, or compiled code would deviate from JSON Schema.
 */
export function needsInterpreter(root: UnknownObject): boolean {
  return new Looks(root).at(root) > mostLooks;
}

/** Counts how often one part of a value is looked at, at most. */
class Looks {
  readonly #root: UnknownObject;
  readonly #targets: SchemaTargets = noSchemaTargets();
  readonly #base: string;
  readonly #known = new Map<UnknownObject, number>();

  constructor(root: UnknownObject) {
    this.#root = root;
    this.#base = addSchemaTarget(this.#targets, root, undefined);
    this.#anchors(root);
  }

  at(schema: unknown): number {
    if (!isObject(schema)) return 1;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    // A schema that is met again while it is counted refers to itself.
    this.#known.set(schema, Number.POSITIVE_INFINITY);
    const looks = this.#count(schema);
    this.#known.set(schema, looks);
    return looks;
  }

  #count(schema: UnknownObject): number {
    if (notForCompilers.some((keyword) => schema[keyword] !== undefined)) return Number.POSITIVE_INFINITY;
    if (schema !== this.#root && schema.$id !== undefined) return Number.POSITIVE_INFINITY;
    let here = 0;
    let below = 0;
    let widest = 0;
    for (const { keys, schema: inner } of subschemas(schema)) {
      if (apart.has(keys[0])) continue;
      const looks = this.at(inner);
      if (inPlace.has(keys[0])) here += looks;
      else if (oneOfThese.has(keys[0])) widest = Math.max(widest, looks);
      else below += looks;
    }
    const choices = Array.isArray(schema.enum) ? schema.enum.length / choicesPerLook : 0;
    return Math.max(1 + choices, below + widest) + here + this.#referred(schema.$ref);
  }

  #referred(reference: unknown): number {
    if (typeof reference !== 'string') return 0;
    const target = resolveReference(this.#targets, reference, this.#base);
    return typeof target === 'object' ? this.at(target.found) : 0;
  }

  #anchors(schema: UnknownObject): void {
    for (const { schema: inner } of subschemas(schema)) {
      if (!isObject(inner)) continue;
      addSchemaTarget(this.#targets, inner, this.#base);
      this.#anchors(inner);
    }
  }
}
