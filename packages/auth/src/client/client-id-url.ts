import { isUrl } from '@tenon/mcp-protocol/internal';
/**
 * What keeps a text from being the id of a client that is the address of its metadata document, as the end of a sentence
 * about it; undefined for one that will do.
 * https://www.ietf.org/archive/id/draft-ietf-oauth-client-id-metadata-document-00.html#section-3
 */
export function clientIdUrlFlaw(text: string): string | undefined {
  if (!text.startsWith('https://') || !isUrl(text)) return 'must be an https address';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (/[?#]/.test(text)) return 'must have no query and no fragment';
  if (url.pathname === '/') return 'must have a path, such as /oauth/client.json';
  // Servers compare it letter by letter with what they fetched: it is written as every reader of URLs writes it.
  return url.href === text ? undefined : `must be written as ${url.href}`;
}
