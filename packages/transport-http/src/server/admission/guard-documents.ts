import type { Headers, HttpCall } from '../call/http-call.js';
import { refuse } from '../call/refusal.js';

const readable = 'GET, HEAD, OPTIONS';

/** Headers of public documents: pages of any origin may read them. */
const documentHeaders: Headers = {
  'content-type': 'application/json',
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
};

const preflightHeaders: Headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': readable,
  // Clients send the revision they speak, and possibly other headers.
  'access-control-allow-headers': '*',
  'access-control-max-age': '7200',
};

/** Answers a request for a public JSON document. */
export function sendDocument(call: HttpCall, document: string): void {
  if (call.method === 'GET' || call.method === 'HEAD') call.send(200, documentHeaders, document);
  else if (call.method === 'OPTIONS') call.send(204, { ...preflightHeaders, allow: readable });
  else refuse(call, { status: 405, reason: 'This document can only be read.', headers: { allow: readable } });
}

const name = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * True for headers that can be sent. A guard's headers are sent with an answer, where an error could not be reported any
 * more.
 */
export function areSendable(headers: unknown): boolean {
  if (headers === undefined) return true;
  if (typeof headers !== 'object' || headers === null) return false;
  return Object.entries(headers).every(
    ([one, text]) => name.test(one) && typeof text === 'string' && value.test(text),
  );
}
