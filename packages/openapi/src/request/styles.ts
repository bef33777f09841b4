import { isRecord } from '@tenon/foundation';

/** The way in which a value is written into a request. https://spec.openapis.org/oas/v3.2.0#style-values */
export interface Style {
  readonly name: string;
  readonly style:
    | 'matrix'
    | 'label'
    | 'simple'
    | 'form'
    | 'spaceDelimited'
    | 'pipeDelimited'
    | 'deepObject'
    | 'cookie';
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

/** Nested levels of a deepObject. */
const deepest = 8;

/** Characters that an encoded value may have with `allowReserved`. https://www.rfc-editor.org/rfc/rfc3986#section-2.2 */
const reserved = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu;
const separators = { spaceDelimited: '%20', pipeDelimited: '%7C' } as const;

/** Percent-encodes all but unreserved characters. */
export function encoded(text: string): string {
  // Half of a character cannot be encoded.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function keepReserved(text: string): string {
  // A percent sign that begins no escape is data.
  return text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25').replace(reserved, encoded);
}

/** Returns the text of a primitive value; JSON of any other. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The names and values of one parameter in a query or a form, encoded. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** Returns the pairs of a parameter. A value that is undefined, null or an empty list has none. */
export function pairsOf({ name, style, explode, allowReserved }: Style, value: unknown): Pairs {
  const encode = allowReserved ? inQuery : encoded;
  const [write, key] = style === 'cookie' ? [String, name] : [encode, encoded(name)];
  if (style === 'deepObject') return deepPairs(key, value, { write, depth: 0 });
  const list = partsOf(value);
  if (list === undefined) return [];
  if (!Array.isArray(value) && !isRecord(value)) return [[key, write(textOfValue(value))]];
  if (explode && isRecord(value)) return list.map(([member, one]) => [write(member), write(one)]);
  if (explode) return list.map(([, one]) => [key, write(one)]);
  const separator = style === 'spaceDelimited' || style === 'pipeDelimited' ? separators[style] : ',';
  return [[key, flat(list, isRecord(value)).map(write).join(separator)]];
}

/** Keeps the reserved characters that do not end a value in a query. */
function inQuery(text: string): string {
  return keepReserved(text).replace(/[#&+]/g, encoded);
}

function deepPairs(
  key: string,
  value: unknown,
  { write, depth }: { readonly write: (text: string) => string; readonly depth: number },
): Pairs {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) && !isRecord(value)) return [[key, write(textOfValue(value))]];
  if (depth >= deepest) return [[key, write(JSON.stringify(value))]];
  return Object.entries(value).flatMap(([name, one]) =>
    deepPairs(`${key}%5B${encoded(name)}%5D`, one, { write, depth: depth + 1 }),
  );
}

/** Returns a value as a part of a path. */
export function pathPart({ name, style, explode, allowReserved }: Style, value: unknown): string {
  const write = allowReserved ? inPath : encoded;
  const list = partsOf(value) ?? [];
  const isObject = isRecord(value);
  const isList = isObject || Array.isArray(value);
  const texts =
    isObject && explode
      ? list.map(([key, one]) => `${write(key)}=${write(one)}`)
      : flat(list, isObject).map(write);
  if (style === 'label') return `.${texts.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return texts.join(',');
  const key = encoded(name);
  const pair = (text: string) => (text === '' ? `;${key}` : `;${key}=${text}`);
  if (!explode || !isList) return pair(texts.join(','));
  return isObject ? texts.map((text) => `;${text}`).join('') : texts.map(pair).join('');
}

/** Keeps the reserved characters that do not end a segment of a path. */
function inPath(text: string): string {
  return keepReserved(text).replace(/[/?#]/g, encoded);
}

/** Returns the value of a header. It is not encoded. */
export function headerValue({ explode }: Pick<Style, 'explode'>, value: unknown): string {
  const list = partsOf(value) ?? [];
  if (isRecord(value) && explode) return list.map(([key, one]) => `${key}=${one}`).join(',');
  return flat(list, isRecord(value)).join(',');
}

/** Returns the parts of a value: of a list without keys. Undefined for a value that is not sent. */
function partsOf(value: unknown): [key: string, text: string][] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (Array.isArray(value)) return value.map((one) => ['', textOfValue(one)]);
  if (!isRecord(value)) return [['', textOfValue(value)]];
  const members = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  return members.map(([key, one]) => [key, textOfValue(one)]);
}

function flat(list: readonly [key: string, text: string][], hasKeys: boolean): string[] {
  return list.flatMap(([key, text]) => (hasKeys ? [key, text] : [text]));
}
