import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  RequestOptions,
  ServerResponse,
} from 'node:http';
import { sendRequest } from '../connections/send-request.js';

/** Headers that belong to one connection, and those that the proxy sets. RFC 9110 section 7.6.1 */
const notForwarded = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Returns the headers of a message without those that belong to its connection. */
export function forwardedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headers).filter(([name]) => !notForwarded.has(name) && !named.includes(name));
  return Object.fromEntries(kept);
}

/** Sends a request of a client on, and returns the head of the answer. A client that leaves cancels the request at the server. */
export function passOn(
  url: URL,
  options: RequestOptions,
  { body, response }: { readonly body: Buffer | undefined; readonly response: ServerResponse },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(url, options, resolve);
    const leave = () => sent.destroy();
    response.once('close', leave);
    sent.once('close', () => response.off('close', leave));
    sent.on('error', reject);
    if (response.destroyed) leave();
    sent.end(body);
  });
}

/** True for the answer that is a stream of events. */
export function isEventStream({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}
