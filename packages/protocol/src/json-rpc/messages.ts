/** A request id: a string or an integer, never null. Ids of different types differ: `3` is not `"3"`. */
export type RequestId = string | number;

/** The error member of an error response. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** True if a value is a valid request id. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/**
 * Returns the number of a text that is the exact decimal form of that number; undefined for all other texts.
 * Ids of sent requests are numbers, and some peers answer with their text.
 */
export function numberIn(id: string): number | undefined {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : undefined;
}

/** Returns the text of a request; `params` must already be in wire form. */
export function requestFrame(id: RequestId, method: string, params: object | undefined): string {
  return JSON.stringify(
    params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params },
  );
}

/** Returns the text of a notification; `params` must already be in wire form. */
export function notificationFrame(method: string, params: object | undefined): string {
  if (params === undefined) return JSON.stringify({ jsonrpc: '2.0', method });
  const head = notificationHeads.get(method) ?? makeNotificationHead(method);
  return `${head}${JSON.stringify(params)}}`;
}

// A progress message is mostly its envelope, which is the same text each time.
const notificationHeads = new Map<string, string>();
const maxNotificationHeads = 64;

function makeNotificationHead(method: string): string {
  const head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":`;
  if (notificationHeads.size < maxNotificationHeads) notificationHeads.set(method, head);
  return head;
}

/** Returns the text of a response with a result that is JSON text already. */
export function resultFrame(id: RequestId, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${resultText}}`;
}

/**
 * The text of an error response.
 * @param id - the id of the request; null writes a null id, undefined leaves the member out.
 */
export function errorFrame(id: RequestId | null | undefined, error: WireError): string {
  const head = id === undefined ? '' : `"id":${id === null ? 'null' : idText(id)},`;
  return `{"jsonrpc":"2.0",${head}"error":${JSON.stringify(error)}}`;
}

function idText(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

import { isObject } from './json.js';

/** A message that exceeds a limit and was therefore not read. */
export interface UnreadId {
  readonly kind: 'request' | 'response';
  /** The id of the message, or of the request that it answers. */
  readonly id: RequestId;
}

/** Identifies a message without reading it as a whole; undefined if it is neither a request nor an answer. */
export function unreadIdOf(message: unknown): UnreadId | undefined {
  if (!isObject(message) || !isRequestId(message.id)) return undefined;
  const { id } = message;
  if (typeof message.method === 'string') return { kind: 'request', id };
  return 'result' in message || 'error' in message ? { kind: 'response', id } : undefined;
}
