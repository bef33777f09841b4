import { TransportError } from '@tenon/mcp-protocol';

/**
 * The URL that an endpoint event names, or why nothing is posted there.
 * @param stream - URL of the event stream, which it is relative to.
 */
export function endpointUrl(uri: string, stream: string): URL | TransportError {
  const { origin } = new URL(stream);
  let url: URL;
  try {
    url = new URL(uri, stream);
  } catch {
    return new TransportError(`${origin} says to post to what is no URI.`);
  }
  if (url.origin === origin) return url;
  const told = url.origin === 'null' ? url.protocol : url.origin;
  return new TransportError(
    `${origin} says to post to another origin (${told.slice(0, 200)}), where nothing is sent.`,
  );
}
