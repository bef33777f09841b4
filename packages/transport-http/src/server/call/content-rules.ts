import type { HttpRefusal } from '@tenon/mcp-protocol';
import type { HttpCall } from './http-call.js';

const usualAccept = 'application/json, text/event-stream';

/** Returns the refusal if the Content-Type, Content-Encoding or Accept header of a POST is not acceptable. */
export function postRefusal(call: HttpCall): HttpRefusal | undefined {
  const type = call.header('content-type');
  if (type !== 'application/json' && !isJson(type)) {
    return { status: 415, reason: 'The body must be sent as Content-Type: application/json, in UTF-8.' };
  }
  const encoding = call.header('content-encoding');
  if (encoding !== undefined && encoding !== 'identity') {
    return {
      status: 415,
      reason: 'The body must be sent without a Content-Encoding.',
      headers: { 'accept-encoding': 'identity' },
    };
  }
  const accept = call.header('accept');
  if (accept === undefined || accept === usualAccept) return undefined;
  if (accepts(accept, 'application', 'json') && accepts(accept, 'text', 'event-stream')) return undefined;
  return { status: 406, reason: `The Accept header must list both ${usualAccept.replace(', ', ' and ')}.` };
}

/** Returns the refusal if the Accept header of a GET is not acceptable. */
export function getRefusal(call: HttpCall): HttpRefusal | undefined {
  const accept = call.header('accept');
  if (accept === undefined || accepts(accept, 'text', 'event-stream')) return undefined;
  return { status: 406, reason: 'The Accept header must list text/event-stream.' };
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);
}

/** Applies RFC 9110 section 12.5.1 as far as needed to reject a type: the most specific range decides. */
function accepts(header: string, type: string, subtype: string): boolean {
  const ranges = ['*/*', `${type}/*`, `${type}/${subtype}`];
  let best = 0;
  let allowed = false;
  for (const range of header.toLowerCase().split(',', 64)) {
    const [name = '', ...params] = range.split(';', 16).map((part) => part.trim());
    const rank = ranges.indexOf(name) + 1;
    if (rank === 0 || rank < best) continue;
    best = rank;
    allowed = !params.some((param) => /^q\s*=\s*0(\.0*)?$/.test(param));
  }
  return allowed;
}
