import { secrecyOf } from '@tenon/foundation/redaction';
import type { FormSchema, UnknownObject } from '@tenon/mcp-protocol';

// As URLs write hosts: an IPv4 address always has four numbers.
const loopback = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the reason why a user must not be sent to a page, with the fix; undefined if there is none.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#safe-url-handling
 */
export function pageProblem(url: URL): string | undefined {
  const isLocal = loopback.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    return `a page is opened by https, or by http on this machine, not by ${url.protocol.slice(0, 40)}//.`;
  if (url.username !== '' || url.password !== '')
    return 'the URL carries a user name or password: leave them out, and have the page sign the user in.';
  for (const [name, value] of url.searchParams) {
    if (value !== '' && secrecyOf(name) !== undefined)
      return `the URL carries "${name.slice(0, 80)}", and whoever has the URL has it: keep it at the server, and have the page sign the user in.`;
  }
  return undefined;
}

/**
 * Returns the reason why a form must not have a field, with the fix; undefined if there is none.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export function fieldProblem(name: string, field: UnknownObject): string | undefined {
  const secrecy = secrecyOf(name);
  const isSecret = secrecy === 'all' || (secrecy === 'text' && field.type === 'string');
  return isSecret || field.format === 'password' || field.writeOnly === true
    ? 'secrets must not pass through the client: ask with ctx.elicitUrl. If it is none, choose another name.'
    : undefined;
}

const link = /\bhttps?:\/\//i;

/** True if a text of a form contains a link, which users might follow. */
export function showsLink(message: string, form: FormSchema): boolean {
  return link.test(message) || textsOf(form).some((text) => link.test(text));
}

function textsOf({ properties }: FormSchema): string[] {
  return Object.values(properties).flatMap(({ title, description }) =>
    [title, description].filter((text) => typeof text === 'string'),
  );
}
