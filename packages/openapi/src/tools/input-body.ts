import { isRecord } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import type { OpenApiDocument } from '../document/document.js';
import { lineOf } from '../document/texts.js';
import type { BodyKind, BodyPlan } from '../request/body.js';
import type { ToolSchema } from '../schemas/tool-schema.js';
import type { UniqueNames } from './argument-names.js';

/** The body of an operation as arguments of its tool. */
export interface PlannedBody {
  readonly plan: BodyPlan;
  readonly properties: ReadonlyMap<string, UnknownObject>;
  readonly required: readonly string[];
}

/** Media types in the order in which one of several is chosen. */
const kinds: readonly (readonly [pattern: RegExp, kind: BodyKind])[] = [
  [/^application\/json\b/i, 'json'],
  [/^(?:application\/[\w.+-]+\+json|\*\/\*|application\/\*)/i, 'json'],
  [/^application\/x-www-form-urlencoded\b/i, 'form'],
  [/^multipart\//i, 'multipart'],
  [/^(?:text\/|application\/(?:[\w.+-]+\+)?xml\b)/i, 'text'],
  [/^/, 'file'],
];

/** Keywords about an object as a whole: its fields cannot be arguments of their own. */
const ofWholes = [
  ...[
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    '$dynamicRef',
    'patternProperties',
    'propertyNames',
    'minProperties',
  ],
  ...['maxProperties', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
];

const file: UnknownObject = {
  type: 'object',
  description: 'A file: its content as text or in base64.',
  properties: {
    text: { type: 'string' },
    base64: { type: 'string' },
    name: { type: 'string', description: 'The name of the file' },
    mediaType: { type: 'string' },
  },
  additionalProperties: false,
};

interface Parts {
  readonly schema: ToolSchema;
  readonly names: UniqueNames;
}

/** Returns the body of an operation with one of its media types. */
export function plannedBody(document: OpenApiDocument, body: UnknownObject, parts: Parts): PlannedBody {
  const { mediaType, kind, media } = chosen(document, body.content as UnknownObject);
  const isRequired = body.required === true;
  const root = document.references.follow(media.schema);
  const encoding = isRecord(media.encoding) ? media.encoding : {};
  const common = { mediaType, kind, encoding };
  const fields = root === undefined ? undefined : fieldsOf(root, { kind, isRequired });
  const clashes = fields?.some(([name]) => parts.names.has(name)) ?? false;
  if (fields === undefined || clashes) {
    const argument = parts.names.take('body', 'body');
    const description = lineOf(body.description, 300);
    const inner = wholeSchema(media, { kind, root, parts, document });
    const schema = description === undefined ? inner : { ...inner, description };
    return {
      plan: { ...common, argument, fields: undefined },
      properties: new Map([[argument, schema]]),
      required: isRequired ? [argument] : [],
    };
  }
  const properties = new Map<string, UnknownObject>();
  const names = new Map<string, string>();
  for (const [name, schema] of fields) {
    const argument = parts.names.take(name, 'field');
    names.set(argument, name);
    properties.set(argument, fieldSchema(schema, { kind, parts, document }));
  }
  const needed: readonly unknown[] = Array.isArray(root?.required) ? root.required : [];
  const required = [...names].flatMap(([argument, name]) => (needed.includes(name) ? [argument] : []));
  return {
    plan: { ...common, argument: undefined, fields: names, required: isRequired },
    properties,
    required,
  };
}

function chosen(
  document: OpenApiDocument,
  content: UnknownObject,
): { readonly mediaType: string; readonly kind: BodyKind; readonly media: UnknownObject } {
  for (const [pattern, kind] of kinds) {
    const mediaType = Object.keys(content).find((one) => pattern.test(one));
    if (mediaType === undefined) continue;
    return {
      mediaType: sent(mediaType, kind),
      kind,
      media: document.references.follow(content[mediaType]) ?? {},
    };
  }
  return { mediaType: 'application/json', kind: 'json', media: {} };
}

/** Returns the media type that is sent: a range is not one. */
function sent(mediaType: string, kind: BodyKind): string {
  const isType = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w-]+=[\w"./+-]+)*$/.test(mediaType);
  if (isType) return mediaType;
  return (
    { json: 'application/json', text: 'text/plain', file: 'application/octet-stream' }[kind as string] ??
    mediaType
  );
}

/** Returns the fields of a body that can be arguments of their own; undefined if the body must be one argument. */
function fieldsOf(
  root: UnknownObject,
  { kind, isRequired }: { readonly kind: BodyKind; readonly isRequired: boolean },
): readonly (readonly [string, unknown])[] | undefined {
  if (kind === 'text' || kind === 'file') return undefined;
  if (!isRecord(root.properties) || root.nullable === true || Array.isArray(root.type)) return undefined;
  if (ofWholes.some((keyword) => root[keyword] !== undefined)) return undefined;
  const { additionalProperties: more } = root;
  if (more !== undefined && more !== false) return undefined;
  // Without its required fields the body may be left out as a whole.
  if (!isRequired && Array.isArray(root.required) && root.required.length > 0) return undefined;
  return Object.entries(root.properties).filter(
    ([name, schema]) => name !== '__proto__' && !(isRecord(schema) && schema.readOnly === true),
  );
}

interface SchemaParts {
  readonly kind: BodyKind;
  readonly parts: Parts;
  readonly document: OpenApiDocument;
}

function wholeSchema(
  media: UnknownObject,
  { kind, root, ...rest }: SchemaParts & { readonly root: UnknownObject | undefined },
): UnknownObject {
  if (kind === 'file') return file;
  if (kind === 'text') return { type: 'string' };
  if (kind === 'multipart' && root !== undefined && isRecord(root.properties)) {
    const { properties, ...object } = root;
    const own = rest.parts.schema.convert(object);
    const entries = Object.entries(properties).map(([name, schema]) => [
      name,
      fieldSchema(schema, { kind, ...rest }),
    ]);
    return { ...own, properties: Object.fromEntries(entries) };
  }
  return rest.parts.schema.convert(media.schema);
}

function fieldSchema(schema: unknown, { kind, parts, document }: SchemaParts): UnknownObject {
  if (kind !== 'multipart') return parts.schema.convert(schema);
  const target = document.references.follow(schema);
  const description = lineOf(target?.description, 300);
  if (isBinary(target))
    return {
      ...file,
      ...(description !== undefined && { description: `${file.description} ${description}` }),
    };
  if (target?.type === 'array' && isBinary(document.references.follow(target.items)))
    return { type: 'array', items: file, ...(description !== undefined && { description }) };
  return parts.schema.convert(schema);
}

function isBinary(schema: UnknownObject | undefined): boolean {
  if (schema === undefined) return false;
  const { type, format, contentMediaType, contentEncoding } = schema;
  if (format === 'binary') return true;
  return (
    (type === undefined || type === 'string') &&
    contentMediaType !== undefined &&
    contentEncoding === undefined
  );
}
