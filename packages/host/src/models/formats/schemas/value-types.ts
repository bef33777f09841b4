import { isAnnotation } from './keywords.js';
import { type Schema, typeFrom, typesOf } from './rewriting.js';

/** The keywords that are about values of one type. */
const ofType: { readonly [type: string]: readonly string[] } = {
  string: ['format', 'pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'format'],
  object: [
    ...[
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'minProperties',
    ],
    ...['maxProperties', 'dependentRequired', 'unevaluatedProperties'],
  ],
  array: [
    'items',
    'prefixItems',
    'contains',
    'minContains',
    'maxContains',
    'minItems',
    'maxItems',
    'uniqueItems',
  ],
};

/** Returns a schema with `type`, if its values or keywords are about one. */
export function withTypes(schema: Schema): Schema {
  if (schema.type !== undefined) return schema;
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const types = Array.isArray(values)
    ? typesOfValues(values)
    : Object.keys(ofType).filter((type) => ofType[type]?.some((keyword) => schema[keyword] !== undefined));
  // `format` is about texts unless a bound of numbers is there.
  const [type, ...others] = Array.isArray(values) ? types : types.slice(0, 1);
  if (type === undefined) return schema;
  return { type: typeFrom([type, ...others]), ...schema };
}

/** Returns a schema without the keywords of objects and lists if its types are others. */
export function withoutStrayKeywords(schema: Schema): Schema {
  const types = typesOf(schema);
  if (types.length === 0) return schema;
  const stray = ['object', 'array']
    .filter((type) => !types.includes(type))
    .flatMap((type) => ofType[type] ?? []);
  if (!stray.some((keyword) => schema[keyword] !== undefined)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !stray.includes(keyword)));
}

/**
 * Returns a union with a branch for each type if a schema has several types besides null; undefined if it has one, or none. Formats
 * reject the keywords of one type beside another.
 */
export function oneTypeEach(schema: Schema): Schema | undefined {
  const typed = schema.enum === undefined ? schema : withTypes(schema);
  const types = typesOf(typed);
  if (types.filter((type) => type !== 'null').length < 2) return undefined;
  const branches = types.map((type): Schema => {
    const branch: Schema = { type };
    for (const keyword of ofType[type === 'integer' ? 'number' : type] ?? [])
      if (typed[keyword] !== undefined) branch[keyword] = typed[keyword];
    if (Array.isArray(typed.enum) && type !== 'null')
      branch.enum = typed.enum.filter((value) => hasType(value, type));
    return branch;
  });
  const annotations = Object.entries(typed).filter(([keyword]) => isAnnotation(keyword));
  return {
    ...Object.fromEntries(annotations),
    anyOf: branches.filter(({ enum: values }) => !Array.isArray(values) || values.length > 0),
  };
}

function typesOfValues(values: readonly unknown[]): string[] {
  const types = new Set(values.map(typeOf));
  if (types.has('number')) types.delete('integer');
  return [...types];
}

function hasType(value: unknown, type: string): boolean {
  const own = typeOf(value);
  return own === type || (own === 'integer' && type === 'number');
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
