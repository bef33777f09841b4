import {
  isNestedDeeper,
  isObject,
  isRequestId,
  numberIn,
  RemoteError,
  type RequestId,
  redactText,
  TransportError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { type AnswerHeaders, headerOf } from './http-sender.js';

/** What is known of an answer that is no success. */
export interface Refused {
  readonly origin: string;
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Text of its body; undefined when it could not be read. */
  readonly text: string | undefined;
  /** Ids of the requests it refuses. */
  readonly ids: readonly RequestId[];
  readonly maxNesting: number;
}

/**
 * What an HTTP status other than success means for a request: the error a body of JSON-RPC says it is, with the status
 * in its cause, or a failure of the carrier. A gate that wants authorization speaks for itself, whatever it says.
 */
export function refusalError(refused: Refused): RemoteError | TransportError {
  const { status, ids } = refused;
  const error = wireErrorIn(refused);
  const carrier = new TransportError(sentence(refused, error?.message), { status });
  if (error === undefined || ids.length === 0 || isGate(status)) return carrier;
  return new RemoteError(error, { cause: carrier });
}

interface ErrorMember {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The error of a JSON-RPC response to one of these requests, or to none that it names. */
function wireErrorIn({ text, ids, maxNesting }: Refused): ErrorMember | undefined {
  if (text === undefined || !/^\s*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isNestedDeeper(value, text, maxNesting) || !isObject(value) || value.jsonrpc !== '2.0')
    return undefined;
  const { error } = value;
  // Some servers answer under the text of the number.
  const id = typeof value.id === 'string' ? (numberIn(value.id) ?? value.id) : value.id;
  const isOurs =
    id === undefined || id === null || (isRequestId(id) && (ids.includes(id) || ids.length === 0));
  return isOurs && isObject(error) && isErrorMember(error) ? error : undefined;
}

function isErrorMember(error: UnknownObject): error is UnknownObject & ErrorMember {
  return Number.isInteger(error.code) && typeof error.message === 'string';
}

function isGate(status: number): boolean {
  return status === 401 || status === 403 || status === 407;
}

function sentence({ origin, status, headers, text }: Refused, told: string | undefined): string {
  const said = told ?? plainText(headers, text);
  // Some repeat what they were shown, credentials included.
  const clean = said === undefined ? '' : redactText(said.slice(0, 2_000)).slice(0, 200);
  const quote = clean === '' ? '.' : `: ${clean.replace(/\.?$/, '.')}`;
  if (status === 401) {
    const scheme = /^[A-Za-z][A-Za-z0-9-]{0,30}/.exec(headerOf(headers, 'www-authenticate') ?? '')?.[0];
    const how = scheme === undefined ? '' : `, ${scheme}`;
    return `${origin} wants authorization (HTTP 401${how}): give the option auth, or what it needs in headers${quote}`;
  }
  if (status === 403)
    return `${origin} refuses this (HTTP 403); perhaps it wants other authorization${quote}`;
  if (status === 407) return `A proxy before ${origin} wants authorization (HTTP 407)${quote}`;
  const hint = status === 404 && told === undefined ? ' Is the path of the URL right?' : '';
  return `${origin} answered HTTP ${status}${quote}${hint}`;
}

/** The body where it is text for people, on one line. */
function plainText(headers: AnswerHeaders, text: string | undefined): string | undefined {
  const type = headerOf(headers, 'content-type') ?? 'text/plain';
  if (!/^(?:text\/plain|application\/(?:[\w.-]+\+)?json)\b/i.test(type)) return undefined;
  return text
    ?.slice(0, 2_000)
    .replace(/[^\x20-\x7e\u00a0-\ud7ff]+/g, ' ')
    .trim();
}
