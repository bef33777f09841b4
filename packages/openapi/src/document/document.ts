import { isRecord, jsonIn } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import { parse } from 'yaml';
import { References } from './references.js';
import { lineOf, shown } from './texts.js';

/** An OpenAPI document with a known version. */
export interface OpenApiDocument {
  readonly root: UnknownObject;
  readonly references: References;
  /** True for 3.0, where schemas are not JSON Schema. */
  readonly hasOldSchemas: boolean;
  readonly title: string;
}

/** The most characters of a document that is a text. */
export const mostCharacters = 33_554_432;

/**
 * Reads a document of 3.0, 3.1 or 3.2.
 * @param document - the parsed document, or its text: JSON or YAML.
 * @throws TypeError if it is none; RangeError if its text is too long.
 */
export function readDocument(document: unknown): OpenApiDocument {
  const root = typeof document === 'string' ? parsed(document) : document;
  if (!isRecord(root))
    throw new TypeError('fromOpenApi: the document must be an object, or a text of JSON or YAML.');
  const { openapi, info } = root;
  if (typeof root.swagger === 'string')
    throw new TypeError('fromOpenApi: this is a document of Swagger 2.0. Convert it to OpenAPI 3 first.');
  const version = typeof openapi === 'string' ? /^3\.([012])(?:\.|-|$)/.exec(openapi)?.[1] : undefined;
  if (version === undefined) {
    const is = typeof openapi === 'string' ? `is ${shown(openapi)}` : 'is not there';
    throw new TypeError(
      `fromOpenApi: the member "openapi" must be 3.0, 3.1 or 3.2 with a patch number, and ${is}.`,
    );
  }
  const title = isRecord(info) ? lineOf(info.title, 100) : undefined;
  return {
    root,
    references: new References(root),
    hasOldSchemas: version === '0',
    title: title ?? 'the API',
  };
}

function parsed(text: string): unknown {
  if (text.length > mostCharacters)
    throw new RangeError(`fromOpenApi: the document has more than ${mostCharacters} characters.`);
  if (/^\s*\{/.test(text)) {
    const value = jsonIn(text);
    if (value !== undefined) return value;
  }
  try {
    // Aliases can make a small text a huge value: the parser bounds them.
    return parse(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'error', maxAliasCount: 1_000 });
  } catch (cause) {
    const message = cause instanceof Error ? lineOf(cause.message, 200) : undefined;
    throw new TypeError(`fromOpenApi: the document is neither JSON nor YAML: ${message}`, { cause });
  }
}
