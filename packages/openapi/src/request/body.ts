import { isRecord, randomId } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import { ToolError } from '@tenon/mcp-server';
import { pairsOf, type Style, textOfValue } from './styles.js';

/** The way in which a body is written. A file is bytes. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'file';

/** The body of the requests of a tool. */
export interface BodyPlan {
  readonly mediaType: string;
  readonly kind: BodyKind;
  /** The encodings of fields, by name, as in the document. */
  readonly encoding: UnknownObject;
  /** The argument that is the whole body; undefined if its fields are arguments. */
  readonly argument: string | undefined;
  /** The fields of the body by the names of their arguments; undefined if the body is one argument. */
  readonly fields: ReadonlyMap<string, string> | undefined;
  /** True if a body is sent even if no field of it was given. */
  readonly required?: boolean;
}

/** The body of one request. */
export interface RequestBody {
  readonly mediaType: string;
  readonly content: string | Uint8Array;
}

/** Returns the body for the arguments of a call; undefined if it is left out. @throws ToolError if a file is malformed. */
export function requestBody(plan: BodyPlan, input: UnknownObject): RequestBody | undefined {
  const value = givenBody(plan, input);
  if (value === undefined) return undefined;
  const { kind, mediaType } = plan;
  if (kind === 'json') return { mediaType, content: JSON.stringify(value) };
  if (kind === 'text') return { mediaType, content: textOfValue(value) };
  if (kind === 'file') return { mediaType, content: bytesOf(value, 'body') };
  const fields = Object.entries(isRecord(value) ? value : {});
  return kind === 'form' ? form(fields, plan) : multipart(fields, plan);
}

function givenBody({ argument, fields, required }: BodyPlan, input: UnknownObject): unknown {
  if (argument !== undefined) return input[argument];
  const given = [...(fields ?? [])].flatMap(([name, field]) =>
    input[name] === undefined ? [] : [[field, input[name]] as const],
  );
  return given.length > 0 || required === true ? Object.fromEntries(given) : undefined;
}

type Fields = readonly (readonly [name: string, value: unknown])[];

function form(fields: Fields, { mediaType, encoding }: BodyPlan): RequestBody {
  const pairs = fields.flatMap(([name, value]) => {
    const { style: given, explode, allowReserved } = encodingOf(encoding, name);
    const isStyled = given !== undefined || explode !== undefined;
    const style = isFormStyle(given) ? given : 'form';
    const written = isRecord(value) && !isStyled ? JSON.stringify(value) : value;
    const how: Style = {
      name,
      style,
      explode: typeof explode === 'boolean' ? explode : style === 'form',
      allowReserved: allowReserved === true,
    };
    return pairsOf(how, written);
  });
  return { mediaType, content: pairs.map(([name, value]) => `${name}=${value}`).join('&') };
}

function isFormStyle(style: unknown): style is Style['style'] {
  return (
    style === 'form' || style === 'spaceDelimited' || style === 'pipeDelimited' || style === 'deepObject'
  );
}

function encodingOf(encoding: UnknownObject, name: string): UnknownObject {
  const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  return isRecord(own) ? own : {};
}

/** https://www.rfc-editor.org/rfc/rfc7578 */
function multipart(fields: Fields, { mediaType, encoding }: BodyPlan): RequestBody {
  const boundary = `tenon-${randomId()}`;
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  for (const [name, value] of fields)
    for (const one of Array.isArray(value) ? value : [value]) {
      const part = partOf(name, one, encodingOf(encoding, name).contentType);
      chunks.push(
        encoder.encode(`--${boundary}\r\n${part.head}\r\n\r\n`),
        part.content,
        encoder.encode('\r\n'),
      );
    }
  chunks.push(encoder.encode(`--${boundary}--\r\n`));
  const [type = 'multipart/form-data'] = mediaType.split(';');
  return { mediaType: `${type.trim()}; boundary=${boundary}`, content: joined(chunks) };
}

function partOf(name: string, value: unknown, contentType: unknown): { head: string; content: Uint8Array } {
  const given = typeof contentType === 'string' && isMediaType(contentType) ? contentType : undefined;
  const disposition = `content-disposition: form-data; name="${quoted(name)}"`;
  if (isFile(value)) {
    const type = isMediaType(value.mediaType) ? value.mediaType : (given ?? 'application/octet-stream');
    const fileName = typeof value.name === 'string' && value.name !== '' ? value.name : 'file';
    const head = `${disposition}; filename="${quoted(fileName)}"\r\ncontent-type: ${type}`;
    return { head, content: bytesOf(value, name) };
  }
  const type = given ?? (typeof value === 'object' && value !== null ? 'application/json' : undefined);
  const head = type === undefined ? disposition : `${disposition}\r\ncontent-type: ${type}`;
  return { head, content: new TextEncoder().encode(textOfValue(value)) };
}

/** Returns a name for a header of a part, as browsers write it. */
function quoted(name: string): string {
  return name.slice(0, 500).replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}

function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,80}$/.test(value);
}

function isFile(value: unknown): value is UnknownObject {
  if (!isRecord(value) || Object.keys(value).some((key) => !fileMembers.has(key))) return false;
  return typeof value.text === 'string' || typeof value.base64 === 'string';
}

const fileMembers: ReadonlySet<string> = new Set(['text', 'base64', 'name', 'mediaType']);

function bytesOf(value: unknown, name: string): Uint8Array {
  const { text, base64 } = isRecord(value) ? value : {};
  if (typeof text === 'string') return new TextEncoder().encode(text);
  if (typeof base64 !== 'string')
    throw new ToolError(`The file ${name} needs its content: give text or base64.`);
  try {
    return Uint8Array.from(atob(base64.replace(/\s+/g, '')), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new ToolError(`The file ${name} is not valid base64.`, { cause });
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
