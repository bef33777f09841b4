import {
  type DiscoverResult,
  ErrorCode,
  RemoteError,
  type Revision,
  SessionError,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { noCommon } from '@tenon/mcp-session/internal';

/** The result of a probe. */
export type ProbeOutcome =
  | { readonly kind: 'described'; readonly result: DiscoverResult }
  /** An error, an invalid answer, or the end of the connection. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'silent' };

/** The next step. */
export type ProbeVerdict =
  | { readonly step: 'use'; readonly revision: Revision; readonly result: DiscoverResult }
  | { readonly step: 'probe-again'; readonly revision: Revision }
  /**
   * `restart` first: the probe ended the connection. With `doubt`, the server may not be an older one: if it does
   * not initialize, connecting fails with that error.
   */
  | {
      readonly step: 'initialize';
      readonly revision: Revision;
      readonly restart: boolean;
      readonly doubt?: RemoteError;
    }
  | { readonly step: 'fail'; readonly error: unknown };

/** The state of the client at the result of the probe. */
export interface ProbeView {
  /** Supported revisions, newest first. */
  readonly ours: readonly Revision[];
  /** The revisions of earlier probes. */
  readonly probed: readonly Revision[];
}

/**
 * Decides the revision of a server by the result of a probe over a duplex channel.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
export function readProbe(outcome: ProbeOutcome, view: ProbeView): ProbeVerdict {
  if (outcome.kind === 'described') return readDescription(outcome.result, view);
  if (outcome.kind === 'silent')
    return fallBack(view, {
      why: 'it did not answer server/discover in time (the option "connectTimeout" allows it up to 5 s)',
    });
  const { error } = outcome;
  if (error instanceof RemoteError) return readError(error, view);
  const dead = error instanceof SessionError && error.reason === 'closed';
  if (dead)
    return fallBack(view, { why: 'it closed the connection when probed', cause: error, restart: true });
  return fallBack(view, { why: 'its answer was not valid', cause: error });
}

/** Decides by the server's own description. */
export function readDescription(result: DiscoverResult, view: ProbeView): ProbeVerdict {
  const next = stepTo(result.supportedVersions, view.ours, view);
  return next.step === 'probe-again' ? { step: 'use', revision: next.revision, result } : next;
}

/**
 * Returns the next step with a server that supports these revisions.
 * @param left - the revisions of the client that may be tried.
 */
export function stepTo(
  offered: readonly string[],
  left: readonly Revision[],
  { ours }: ProbeView,
): ProbeVerdict {
  const revision = left.find((one) => offered.includes(one.id));
  if (revision === undefined)
    return { step: 'fail', error: new SessionError('no-common-revision', noCommon(offered, ours)) };
  if (revision.lifecycle === 'stateless') return { step: 'probe-again', revision };
  return { step: 'initialize', revision, restart: false };
}

function readError(error: RemoteError, view: ProbeView): ProbeVerdict {
  const supported = error.code === ErrorCode.unsupportedProtocolVersion ? supportedIn(error.data) : undefined;
  if (supported !== undefined) {
    const left = view.ours.filter((one) => !view.probed.includes(one));
    return stepTo(supported, left, view);
  }
  // These two errors mean that the server is stateless, and that something else is wrong.
  if (error.code === ErrorCode.missingClientCapability || error.code === ErrorCode.headerMismatch) {
    return { step: 'fail', error };
  }
  return fallBack(view, { why: `it answered server/discover with error ${error.code}`, cause: error });
}

/** The handshake with the newest revision that has one, if this client has any. */
export function fallBack(
  view: ProbeView,
  { why, cause, restart = false }: { why: string; cause?: unknown; restart?: boolean },
): ProbeVerdict {
  const revision = view.ours.find((one) => one.lifecycle === 'handshake');
  if (revision !== undefined) return { step: 'initialize', revision, restart };
  const names = view.ours.map((one) => one.id).join(', ');
  const message = `This client speaks only ${names}, and the server does not seem to: ${why}.`;
  return { step: 'fail', error: new SessionError('no-common-revision', message, { cause }) };
}

/** Returns the supported revisions in an error of an unsupported one. */
export function supportedIn(data: unknown): readonly string[] | undefined {
  if (!isObject(data) || !Array.isArray(data.supported)) return undefined;
  return data.supported.every((one) => typeof one === 'string') ? data.supported : undefined;
}
