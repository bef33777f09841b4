import { ErrorCode, RemoteError, SessionError, TransportError } from '@tenon/mcp-protocol';
import {
  fallBack,
  type ProbeOutcome,
  type ProbeVerdict,
  type ProbeView,
  readDescription,
  stepTo,
  supportedIn,
} from './probe.js';

/** Errors that only servers with a stateless revision send. */
const modern: ReadonlySet<number> = new Set([
  ErrorCode.headerMismatch,
  ErrorCode.missingClientCapability,
  ErrorCode.unsupportedProtocolVersion,
]);

/**
 * Decides the revision of a server by the result of a probe over HTTP: by the answer, and never by a guess.
 * A server that is silent, requires authorization or is broken has not revealed its revisions.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#backward-compatibility
 */
export function readHttpProbe(outcome: ProbeOutcome, view: ProbeView): ProbeVerdict {
  if (outcome.kind === 'described') return readDescription(outcome.result, view);
  const error = outcome.kind === 'failed' ? outcome.error : undefined;
  if (error instanceof RemoteError && modern.has(error.code)) return readModern(error, view);
  if (error instanceof RemoteError && statusOf(error) === 500) {
    const verdict = fallBack(view, { why: 'it answered server/discover with HTTP 500', cause: error });
    return verdict.step === 'initialize' ? { ...verdict, doubt: error } : { step: 'fail', error };
  }
  if (!isOlderAnswer(error)) return { step: 'fail', error: withAdvice(error) };
  const why =
    error instanceof RemoteError
      ? `it answered server/discover with error ${error.code}`
      : 'it did not answer server/discover as such a server does';
  return fallBack(view, { why, cause: error });
}

/** True if the server answered in a way that stateless servers do not. */
function isOlderAnswer(error: unknown): boolean {
  if (error instanceof SessionError) return error.reason === 'invalid-answer';
  const status = statusOf(error);
  if (error instanceof RemoteError)
    return !modern.has(error.code) && !(status !== undefined && isPassing(status));
  if (!(error instanceof TransportError) || status === undefined) return false;
  return !isPassing(status) && (status < 300 || status >= 400);
}

/** True for a failure after which the stored result of the probe may be outdated. */
export function isOtherServer(error: unknown): boolean {
  if (error instanceof SessionError) return error.reason === 'no-common-revision' || isOlderAnswer(error);
  return isOlderAnswer(error) || (error instanceof RemoteError && modern.has(error.code));
}

/**
 * True if a rejected `initialize` means that the server may have the transport of the first revision.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility
 */
export function meansOlderTransport(error: unknown): boolean {
  if (error instanceof RemoteError && modern.has(error.code)) return false;
  const status = statusOf(error);
  return status === 400 || status === 404 || status === 405;
}

function readModern(error: RemoteError, view: ProbeView): ProbeVerdict {
  const supported = error.code === ErrorCode.unsupportedProtocolVersion ? supportedIn(error.data) : undefined;
  if (supported === undefined) return { step: 'fail', error };
  // A server that lists the revision it just rejected is believed once.
  const left = view.ours.filter((one) => view.probed.filter((probed) => probed === one).length < 2);
  return stepTo(supported, left, view);
}

/** The error of a server that answered the probe with HTTP 500, and also failed to initialize. */
export function brokenServer(probed: RemoteError, initialized: unknown): RemoteError {
  const then = initialized instanceof Error ? initialized.message : String(initialized);
  const message = `${probed.peerMessage} (with HTTP 500; initialize failed as well: ${then.slice(0, 300)}). If you know which revision the server speaks, name it with the option "revision".`;
  const { code, data, method, cause } = probed;
  return new RemoteError({ code, message, data }, { method, cause });
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof SessionError) || error.reason !== 'timeout') return error;
  const message =
    'The server did not answer server/discover in time. Over HTTP, silence does not tell which revisions it speaks: allow it more with the option "connectTimeout", or name one with "revision".';
  return new SessionError('timeout', message, { cause: error });
}

/** Returns the HTTP status of an error: its own, or that of the answer. */
export function statusOf(error: unknown): number | undefined {
  const failure = error instanceof RemoteError ? error.cause : error;
  return failure instanceof TransportError ? failure.status : undefined;
}

/** True for a status that depends on this request or this moment, and not on the kind of the server. */
export function isPassing(status: number): boolean {
  return status >= 500 || [401, 403, 407, 408, 425, 429].includes(status);
}
