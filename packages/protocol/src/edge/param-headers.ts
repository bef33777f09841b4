import { subschemas } from '@tenon/json-schema/structure';
import { isObject, type UnknownObject } from '../json-rpc/json.js';
import type { SchemaObject } from '../model/tools.js';
import { decodeHeaderValue, encodeHeaderValue } from './header-values.js';
import type { Headed } from './mirrored-headers.js';

/** A tool parameter that is repeated in an HTTP header. */
export interface ParamHeader {
  /** The name of the header in lower case: `mcp-param-region`. */
  readonly header: string;
  /** The `properties` keys that lead to the parameter in the call's arguments. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** The annotated parameters of an input schema, or its problem and how to fix it. */
export type ParamHeaders =
  | { readonly ok: true; readonly headers: readonly ParamHeader[] }
  | { readonly ok: false; readonly problem: string };

/** The most subschemas that are read of one input schema, and their deepest nesting. */
const maxSchemas = 10_000;
const maxDepth = 64;
const maxNameLength = 128;

interface Place {
  readonly schema: UnknownObject;
  /** Keys from the root, for the error text. */
  readonly at: readonly string[];
  /** The chain of `properties` keys, if only `properties` lead here. */
  readonly path: readonly string[] | undefined;
}

/**
 * Reads the `x-mcp-header` annotations of a tool's input schema; never throws.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
 */
export function findParamHeaders(inputSchema: SchemaObject): ParamHeaders {
  const headers: ParamHeader[] = [];
  const taken = new Set<string>();
  const open: Place[] = [{ schema: inputSchema, at: [], path: [] }];
  // The list grows during the loop, so headers come in the order of the schema.
  for (let index = 0; index < open.length; index++) {
    const place = open[index];
    if (place === undefined) break;
    if (Object.hasOwn(place.schema, 'x-mcp-header')) {
      const read = readAnnotation(place, taken);
      if (typeof read === 'string') return { ok: false, problem: read };
      headers.push(read);
    }
    if (place.at.length > 2 * maxDepth) return { ok: false, problem: 'the schema nests too deeply' };
    for (const { keys, schema } of subschemas(place.schema)) {
      if (!isObject(schema)) continue;
      if (open.length >= maxSchemas) return { ok: false, problem: 'the schema holds too many schemas' };
      open.push(inside(place, keys, schema));
    }
  }
  return { ok: true, headers };
}

function inside(place: Place, keys: readonly [string, string?], schema: UnknownObject): Place {
  const [keyword, name] = keys;
  const at = name === undefined ? [...place.at, keyword] : [...place.at, keyword, name];
  const isReachable = keyword === 'properties' && name !== undefined && place.path !== undefined;
  return { schema, at, path: isReachable ? [...place.path, name] : undefined };
}

function readAnnotation({ schema, at, path }: Place, taken: Set<string>): ParamHeader | string {
  const where = `"x-mcp-header" at ${at.length === 0 ? 'the root' : at.join('.').slice(0, 200)}`;
  if (path === undefined || path.length === 0)
    return `${where} is not on a parameter: only "properties" may lead to it, so move it there or remove it`;
  const name = schema['x-mcp-header'];
  if (typeof name !== 'string') return `${where} is not a string: give the header's name, as in "Region"`;
  if (!isToken(name))
    return `${where} is not an HTTP header name: use 1 to ${maxNameLength} letters, digits and hyphens, as in "Region"`;
  const key = name.toLowerCase();
  if (taken.has(key)) return `${where} repeats the name "${name}": names differ by more than case`;
  const type = schema.type;
  if (type !== 'string' && type !== 'integer' && type !== 'boolean')
    return `${where} is on a parameter of a type that is not string, integer or boolean: remove it or change the type`;
  taken.add(key);
  return { header: `mcp-param-${key}`, path, type };
}

/** RFC 9110 section 5.1. */
function isToken(name: string): boolean {
  return name.length <= maxNameLength && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
}

/** Returns the headers of one call. A parameter that is absent, null, an object or an array has none. */
export function paramHeaderValues(
  headers: readonly ParamHeader[],
  args: UnknownObject | undefined,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { header, path } of headers) {
    const value = valueAt(args, path);
    if (isPlain(value)) values[header] = encodeHeaderValue(String(value));
  }
  return values;
}

/** Returns the difference between the params of a call and its headers; undefined if they agree. */
export function paramHeaderProblem(
  headers: readonly ParamHeader[],
  args: UnknownObject | undefined,
  facts: Headed,
): string | undefined {
  for (const { header, path, type } of headers) {
    const value = valueAt(args, path);
    const stated = facts.header(header);
    const at = `arguments.${path.join('.').slice(0, 200)}`;
    if (!isPlain(value)) {
      if (stated !== undefined) return `The header ${header} is there, but ${at} is not.`;
    } else if (type === 'integer' && Number.isInteger(value) && !Number.isSafeInteger(value))
      return `${at} is beyond the integers that every reader takes for the same.`;
    else if (stated === undefined) return `The header ${header} is required: it repeats ${at}.`;
    else if (!repeats(decodeHeaderValue(stated), value)) return `The header ${header} and ${at} differ.`;
  }
  return undefined;
}

type Plain = string | number | boolean;

function isPlain(value: unknown): value is Plain {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function repeats(text: string | undefined, value: Plain): boolean {
  if (text === undefined || text === String(value)) return text !== undefined;
  // Numbers are compared as numbers: 42.0 is 42.
  return typeof value === 'number' && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text) && Number(text) === value;
}

function valueAt(args: UnknownObject | undefined, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
