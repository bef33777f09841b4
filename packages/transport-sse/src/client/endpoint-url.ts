import { TransportError } from '@tenon/mcp-protocol';

/**
 * Returns the URL that an endpoint event names, or the reason that the client must not post there.
 * @param stream - URL of the event stream, the base of a relative URI.
 */
export function endpointUrl(uri: string, stream: string): URL | TransportError {
  const { origin } = new URL(stream);
  let url: URL;
  try {
    url = new URL(uri, stream);
  } catch {
    return new TransportError(`${origin} sent an endpoint event that is not a URI.`);
  }
  if (url.origin === origin) return url;
  const named = url.origin === 'null' ? url.protocol : url.origin;
  return new TransportError(
    `${origin} sent an endpoint event with another origin (${named.slice(0, 200)}); nothing is sent there.`,
  );
}
