import type { RequestStamp, Revision, Side } from '../codec/revision.js';
import { describeProblem } from '../json-rpc/check.js';
import { ErrorCode } from '../json-rpc/errors.js';
import { isObject, type UnknownObject } from '../json-rpc/json.js';
import { isRequestId, type RequestId, type UnreadId, type WireError } from '../json-rpc/messages.js';
import { MetaKey } from '../json-rpc/meta.js';
import type { TransportFacts } from '../ports/connection.js';
import { hasHeaders, mirrorProblem } from './mirrored-headers.js';

/** A request with a known revision; undefined only before a revision is chosen. */
export interface InboundRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: UnknownObject | undefined;
  readonly revision: Revision | undefined;
  /** The sender of the request: its capabilities and its client info. Only in stateless revisions. */
  readonly stamp: RequestStamp | undefined;
}

export interface InboundNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: UnknownObject | undefined;
}

export interface InboundResponse {
  readonly kind: 'response';
  /** Undefined or null if the peer could not read the id of the request it answers. */
  readonly id: RequestId | null | undefined;
  readonly result: unknown;
  readonly error: WireError | undefined;
  /** The problem of a response that is neither a result nor an error. */
  readonly problem?: string;
}

/** A message that is rejected before it reaches a handler. */
export interface Rejection {
  readonly kind: 'rejection';
  readonly refusal: RefusalName;
  /** Undefined if the id could not be read. */
  readonly id: RequestId | undefined;
  readonly error: WireError;
  /** False for responses and notifications, which must never be answered. */
  readonly answerable: boolean;
}

export type Inbound = InboundRequest | InboundNotification | InboundResponse | Rejection;

/** The state of one end of a connection before it reads a message. */
export interface EdgeView {
  /** This end: a server reads what clients send. */
  readonly side: Side;
  /** The revision the handshake chose, or the one a client settled on. */
  readonly revision: Revision | undefined;
  /** Revisions this end speaks, newest first. */
  readonly supported: readonly Revision[];
}

/** The reasons for which the edge rejects a message. */
export type RefusalName =
  | 'malformed'
  | 'batch'
  | 'not-a-message'
  | 'bad-id'
  | 'bad-method'
  | 'bad-params'
  | 'uninitialized'
  | 'no-version'
  | 'header-mismatch'
  | 'unsupported-version'
  | 'bad-stamp';

/** The error code and the HTTP status of a rejection. */
export interface Refusal {
  readonly code: number;
  readonly status: number;
}

/** Every rejection, in the order of the checks. */
export const refusals: Readonly<Record<RefusalName, Refusal>> = {
  malformed: { code: ErrorCode.parseError, status: 400 },
  batch: { code: ErrorCode.invalidRequest, status: 400 },
  'not-a-message': { code: ErrorCode.invalidRequest, status: 400 },
  'bad-id': { code: ErrorCode.invalidRequest, status: 400 },
  'bad-method': { code: ErrorCode.invalidRequest, status: 400 },
  'bad-params': { code: ErrorCode.invalidParams, status: 400 },
  uninitialized: { code: ErrorCode.invalidRequest, status: 400 },
  'no-version': { code: ErrorCode.invalidParams, status: 400 },
  'header-mismatch': { code: ErrorCode.headerMismatch, status: 400 },
  'unsupported-version': { code: ErrorCode.unsupportedProtocolVersion, status: 400 },
  'bad-stamp': { code: ErrorCode.invalidParams, status: 400 },
};

type Unsettled = { -readonly [K in keyof InboundRequest]: InboundRequest[K] };

/** Classifies a parsed JSON value. Never throws, and is the only reader of version strings. */
export function readMessage(value: unknown, facts: TransportFacts, view: EdgeView): Inbound {
  if (!isObject(value)) {
    return Array.isArray(value)
      ? refuse('batch', 'A list of messages cannot be taken here; send one message at a time.')
      : refuse('not-a-message', 'A message must be a JSON object.');
  }
  const { id } = value;
  // Some peers write all members of all messages, as null where they are not used.
  const method = value.method ?? undefined;
  const isResponse = method === undefined && (value.result !== undefined || value.error !== undefined);
  const readable = isRequestId(id) && !isLong(id) ? id : undefined;
  if (value.jsonrpc !== '2.0') {
    const about = { id: readable, answerable: !isResponse };
    return refuse('not-a-message', 'A message must say "jsonrpc": "2.0".', about);
  }
  if (isResponse) return readResponse(value);
  if (method === undefined) {
    // A message of a server with an id can only be an answer.
    if (view.side === 'client' && readable !== undefined) return readResponse(value);
    return refuse('not-a-message', 'A message has a method, a result or an error.', { id: readable });
  }
  if (id !== undefined && readable === undefined) {
    const message = isLong(id)
      ? `A request id may have at most ${maxLabel} characters.`
      : 'A request id must be a string or an integer.';
    return refuse('bad-id', message);
  }
  if (typeof method !== 'string' || value.result !== undefined || (value.error ?? undefined) !== undefined) {
    const message = 'A request has a method that is a string, and neither result nor error.';
    return refuse('bad-method', message, { id: readable });
  }
  const given = value.params;
  let params: UnknownObject | undefined;
  if (given !== undefined) {
    if (isObject(given)) params = given;
    else if (!standsForNothing(given)) {
      const about = { id: readable, answerable: readable !== undefined };
      return refuse('bad-params', 'params: expected an object', about);
    }
  }
  if (readable === undefined) return { kind: 'notification', method, params };
  if (isObject(params?._meta) && isLong(params._meta.progressToken)) {
    const message = `params._meta.progressToken: expected at most ${maxLabel} characters`;
    return refuse('bad-params', message, { id: readable });
  }
  const request: Unsettled = {
    kind: 'request',
    id: readable,
    method,
    params,
    revision: view.revision,
    stamp: undefined,
  };
  return view.side === 'client' ? request : settle(request, facts, view);
}

/** True for params that some peers write in place of none: null, and the empty list of PHP. */
function standsForNothing(params: unknown): boolean {
  return params === null || (Array.isArray(params) && params.length === 0);
}

/** The longest id or progress token, in characters: every message for a request may repeat both. */
const maxLabel = 1_024;

function isLong(label: unknown): boolean {
  return typeof label === 'string' && label.length > maxLabel;
}

/** The rejection of bytes that were not JSON. */
export function rejectMalformed(reason: string, unread?: UnreadId): Rejection {
  // An error with an id means that the message was read up to the id: it is not a parse error.
  return unread?.kind === 'request'
    ? refuse('not-a-message', reason, { id: isLong(unread.id) ? undefined : unread.id })
    : refuse('malformed', reason);
}

/** The rejection of a list of messages. */
export function rejectBatch(reason: string): Rejection {
  return refuse('batch', reason);
}

/** Finds the revision of a client's request: the one its route has, the one it states, or else the session's. */
function settle(request: Unsettled, facts: TransportFacts, view: EdgeView): InboundRequest | Rejection {
  const { id, method, params } = request;
  const { revision: routed } = facts;
  if (routed?.lifecycle === 'handshake') {
    request.revision = routed;
    return request;
  }
  const meta = params?._meta;
  const stated = isObject(meta) ? meta[MetaKey.protocolVersion] : undefined;
  const isRouted = routed !== undefined && routed.id === stated;
  const revision = isRouted || stated === undefined ? routed : statelessRevision(view.supported, stated);
  // An end with handshake revisions only ignores the key.
  if (
    params === undefined ||
    stated === undefined ||
    (revision === undefined && !speaks(view, 'stateless'))
  ) {
    const opening = method === 'initialize' || (method === 'ping' && speaks(view, 'handshake'));
    return view.revision !== undefined || opening ? request : refuseUnstated(id, facts, view);
  }
  const protocolVersion = isRouted ? stated : facts.protocolVersion;
  if (protocolVersion !== undefined && protocolVersion !== stated) {
    const message = 'The protocol version in the header and in params._meta differ.';
    return refuse('header-mismatch', message, { id });
  }
  if (revision === undefined) return refuseVersion(id, stated, view.supported);
  const problem = revision.codec.stamp(params);
  if (problem !== undefined) {
    const read = revision.codec.relaxStamp?.(params, () => undefined);
    const left = isObject(read) && read !== params ? revision.codec.stamp(read) : problem;
    if (left !== undefined) return refuse('bad-stamp', describeProblem(left, 'params'), { id });
    request.params = read as UnknownObject;
  }
  if (hasHeaders(facts)) {
    if (protocolVersion === undefined)
      return refuse(
        'header-mismatch',
        `The MCP-Protocol-Version header is required: it repeats "${MetaKey.protocolVersion}" of params._meta.`,
        { id },
      );
    const mismatch = mirrorProblem(revision, request, facts);
    if (mismatch !== undefined) return refuse('header-mismatch', mismatch, { id });
  }
  request.revision = revision;
  request.stamp = revision.codec.readStamp(request.params ?? params);
  return request;
}

function readResponse(value: UnknownObject): Inbound {
  const { id } = value;
  if (id !== undefined && id !== null && !isRequestId(id)) {
    return refuse('bad-id', 'A response id must be a string or an integer.', { answerable: false });
  }
  // Some peers write the member they do not use as null.
  const result = value.result === null && value.error !== undefined ? undefined : value.result;
  const error = value.error === null && result !== undefined ? undefined : value.error;
  if (result !== undefined && error === undefined) return { kind: 'response', id, result, error };
  if (result === undefined && isWireError(error)) return { kind: 'response', id, result, error };
  const problem = 'a response must have either a result or a well-formed error';
  return { kind: 'response', id, result: undefined, error: undefined, problem };
}

function isWireError(error: unknown): error is UnknownObject & WireError {
  return isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
}

function statelessRevision(supported: readonly Revision[], id: unknown): Revision | undefined {
  for (const one of supported) if (one.id === id && one.lifecycle === 'stateless') return one;
  return undefined;
}

function speaks({ supported }: EdgeView, lifecycle: Revision['lifecycle']): boolean {
  return supported.some((one) => one.lifecycle === lifecycle);
}

function refuseUnstated(id: RequestId, { protocolVersion }: TransportFacts, view: EdgeView): Rejection {
  if (!speaks(view, 'stateless')) {
    return refuse('uninitialized', 'There is no session yet; send initialize first.', { id });
  }
  // A client of a session revision names it in the header and nowhere else.
  const known = view.supported.some((one) => one.id === protocolVersion);
  if (protocolVersion !== undefined && !known) return refuseVersion(id, protocolVersion, view.supported);
  const hint = speaks(view, 'handshake') ? '; or send initialize first' : '';
  return refuse('no-version', `params._meta: "${MetaKey.protocolVersion}" is required${hint}.`, { id });
}

/** The error for a version that this end does not support; it lists the supported versions. */
export function unsupportedVersion(requested: unknown, supported: readonly Revision[]): WireError {
  return {
    code: ErrorCode.unsupportedProtocolVersion,
    message: 'Unsupported protocol version',
    data: {
      supported: supported.map((one) => one.id),
      requested: typeof requested === 'string' ? requested.slice(0, 128) : '',
    },
  };
}

function refuseVersion(id: RequestId, requested: unknown, supported: readonly Revision[]): Rejection {
  if (typeof requested !== 'string') {
    return refuse('bad-stamp', `params._meta["${MetaKey.protocolVersion}"]: expected a string`, { id });
  }
  const error = unsupportedVersion(requested, supported);
  return { kind: 'rejection', refusal: 'unsupported-version', id, error, answerable: true };
}

interface About {
  readonly id?: RequestId | undefined;
  readonly answerable?: boolean;
}

function refuse(refusal: RefusalName, message: string, { id, answerable = true }: About = {}): Rejection {
  return { kind: 'rejection', refusal, id, error: { code: refusals[refusal].code, message }, answerable };
}
