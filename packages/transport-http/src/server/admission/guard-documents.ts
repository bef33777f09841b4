import type { Headers, HttpCall } from '../endpoint/http-call.js';
import { refuse } from '../endpoint/refusal.js';

const readable = 'GET, HEAD, OPTIONS';

/** What is told to everybody may be read by the pages of everybody. */
const documentHeaders: Headers = {
  'content-type': 'application/json',
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
};

const preflightHeaders: Headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': readable,
  // Clients say which revision they speak, and who knows what else.
  'access-control-allow-headers': '*',
  'access-control-max-age': '7200',
};

/** Answers a request for a JSON document that everybody may read. */
export function sendDocument(call: HttpCall, document: string): void {
  if (call.method === 'GET' || call.method === 'HEAD') call.send(200, documentHeaders, document);
  else if (call.method === 'OPTIONS') call.send(204, { ...preflightHeaders, allow: readable });
  else refuse(call, { status: 405, reason: 'This document can only be read.', headers: { allow: readable } });
}
