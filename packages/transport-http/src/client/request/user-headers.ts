/** Headers of the application: fixed, or asked for before each HTTP request, as tokens that expire must be. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** What the transport writes itself, or what would change how a request is framed. */
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

/** Repeat what a request says, so only whoever writes the request can write them. */
const mirrored = /^mcp-(?:method|name|param-.*)$/;

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

/** True for headers only the transport may write. */
export function isOwnHeader(name: string): boolean {
  return owned.has(name);
}

/**
 * The headers of an application as names in lower case and values in turn.
 * @throws TypeError for what is no header, and for a header that is not the application's to set.
 */
export function flatHeaders(headers: Readonly<Record<string, string>>): string[] {
  const flat: string[] = [];
  for (const [given, text] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!token.test(name)) throw new TypeError(`"${given.slice(0, 60)}" is no name of an HTTP header.`);
    if (isOwnHeader(name) || mirrored.test(name)) {
      throw new TypeError(`The header "${given.slice(0, 60)}" is written by the transport; leave it out.`);
    }
    flat.push(name, sendable(given, text));
  }
  return flat;
}

/**
 * The value of a header.
 * @throws TypeError, without the value in it, for what cannot be sent.
 */
export function sendable(name: string, text: unknown): string {
  if (typeof text === 'string' && value.test(text)) return text;
  throw new TypeError(
    `The value of the header "${name}" must be text without line breaks and control characters.`,
  );
}
