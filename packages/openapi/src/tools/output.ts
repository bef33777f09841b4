import { isRecord } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import type { OpenApiDocument } from '../document/document.js';
import { Unsupported } from '../document/references.js';
import { fitting, type ToolSchema } from '../schemas/tool-schema.js';

/**
 * Returns the schema of the JSON that an operation answers with.
 * @returns undefined if a successful response may be anything else, such as a file or nothing.
 */
export function outputOf(document: OpenApiDocument, { responses }: UnknownObject): UnknownObject | undefined {
  try {
    const schemas = schemasOf(document, responses);
    if (schemas.length === 0) return undefined;
    return fitting(document, 'output', (writer) => ({ schema: structureOf(schemas, writer) }))?.schema;
  } catch (error) {
    // The operation can be called all the same.
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Returns the schemas of all successful responses; none if one of them may be anything but JSON with a schema. */
function schemasOf(document: OpenApiDocument, responses: unknown): readonly unknown[] {
  const schemas: unknown[] = [];
  for (const [status, value] of Object.entries(isRecord(responses) ? responses : {})) {
    if (!/^2(?:\d\d|XX)$/i.test(status)) continue;
    const content = document.references.follow(value)?.content;
    const entries = Object.entries(isRecord(content) ? content : {});
    const media = entries.every(([type]) => isJson(type)) ? entries[0]?.[1] : undefined;
    const schema = document.references.follow(media)?.schema;
    if (schema === undefined) return [];
    schemas.push(schema);
  }
  return schemas;
}

function structureOf(schemas: readonly unknown[], writer: ToolSchema): UnknownObject {
  const [first = {}, ...others] = schemas.map((schema) => writer.convert(schema));
  const root = others.length === 0 ? first : { anyOf: [first, ...others] };
  return { ...root, ...writer.definitions() };
}

/** True for a media type of JSON, not for one of a sequence of values. */
export function isJson(mediaType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(mediaType) && !/json-seq/i.test(mediaType);
}

/** Returns the media types of the successful responses, for the header `accept`. */
export function acceptedTypes(document: OpenApiDocument, { responses }: UnknownObject): string {
  const types = new Set<string>();
  for (const [status, value] of Object.entries(isRecord(responses) ? responses : {})) {
    if (!/^(?:2(?:\d\d|XX)|default)$/i.test(status)) continue;
    const content =
      isRecord(value) && typeof value.$ref !== 'string' ? value.content : contentOf(document, value);
    for (const type of Object.keys(isRecord(content) ? content : {}))
      if (/^[\w.*+-]{1,80}\/[\w.*+-]{1,80}$/.test(type)) types.add(type);
  }
  const json = [...types].find(isJson);
  if (json !== undefined) return json;
  return types.size === 0 ? 'application/json, */*;q=0.5' : [...types].slice(0, 10).join(', ');
}

function contentOf(document: OpenApiDocument, value: unknown): unknown {
  try {
    return document.references.follow(value)?.content;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}
