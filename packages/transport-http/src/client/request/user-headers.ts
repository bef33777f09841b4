import type { Authorizer } from '@tenon/mcp-protocol';

/** Headers of the application: fixed, or a function that is called before each HTTP request, for tokens that expire. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Headers that the transport sets itself, and headers that change the framing of a request. */
const owned: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that repeat the content of a message: only the code that writes the message can set them. */
const mirrored = /^mcp-(?:method|name|param-.*)$/;

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

/** True for headers that only the transport may set. */
export function isOwnHeader(name: string): boolean {
  return owned.has(name);
}

/**
 * Returns an application's headers as alternating lower-case names and values.
 * @throws TypeError if a header is malformed, or only the transport may set it.
 */
export function flatHeaders(headers: Readonly<Record<string, string>>): string[] {
  const flat: string[] = [];
  for (const [given, text] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!token.test(name)) throw new TypeError(`"${given.slice(0, 60)}" is not a valid HTTP header name.`);
    if (isOwnHeader(name) || mirrored.test(name)) {
      throw new TypeError(`The header "${given.slice(0, 60)}" is written by the transport; leave it out.`);
    }
    flat.push(name, sendable(given, text));
  }
  return flat;
}

/**
 * Returns the value of a header.
 * @throws TypeError if it cannot be sent. The message does not contain the value.
 */
export function sendable(name: string, text: unknown): string {
  if (typeof text === 'string' && value.test(text)) return text;
  throw new TypeError(
    `The value of the header "${name}" must be text without line breaks and control characters.`,
  );
}

/**
 * @throws TypeError if the headers include one that only the transport may set, or if there are two sources of
 * authorization.
 */
export function requireHeaders(headers: HeaderSource | undefined, authorizer: Authorizer | undefined): void {
  if (typeof headers === 'function') return;
  const flat = flatHeaders(headers ?? {});
  if (authorizer !== undefined && flat.includes('authorization')) {
    throw new TypeError('Give either auth, or the header "authorization"; not both.');
  }
}
