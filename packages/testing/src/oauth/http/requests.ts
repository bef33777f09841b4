import type { IncomingMessage } from 'node:http';
import { jsonIn } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { RecordedRequest, TestEndpoint } from './recorded-request.js';

/** Reads a whole request; undefined if the body is larger than `bytes`. */
export async function readRequest(
  request: IncomingMessage,
  endpoint: TestEndpoint,
  { bytes, now }: { readonly bytes: number; readonly now: () => number },
): Promise<RecordedRequest | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    // Reads to the end: a client that is still writing would not read the error response.
    if (size <= bytes) pieces.push(piece);
  }
  if (size > bytes) return undefined;
  const body = Buffer.concat(pieces).toString('utf8');
  const { method = 'GET', url = '/' } = request;
  const headers = headersOf(request);
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const params = firstOf(new URLSearchParams(isForm ? body : queryOf(url)));
  return { endpoint, method, url, headers, params, json: jsonOf(body), body, at: now() };
}

/** Returns the query of a URL, without the `?`. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value = '']) => [name, [value].flat().join(', ')]));
}

function firstOf(params: URLSearchParams): Readonly<Record<string, string>> {
  const first = new Map<string, string>();
  for (const [name, value] of params) if (!first.has(name)) first.set(name, value);
  return Object.fromEntries(first);
}

function jsonOf(body: string): JsonObject | undefined {
  const value = jsonIn(body);
  return isObject(value) ? (value as JsonObject) : undefined;
}
