import {
  decodeParams,
  findRevision,
  logLevels,
  type RequestStamp,
  type Revision,
  type SessionSettings,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { HttpBounds } from '../call/http-limits.js';

/** The record from which another process restores a session. JSON. */
export interface SessionRecord {
  /** Name of the negotiated revision. */
  readonly revision: string;
  /** The capabilities and the client info. */
  readonly peer: RequestStamp;
  /** The owner of the session; absent if the caller was not authenticated. */
  readonly owner?: string;
  /** The time at which the session was opened, in milliseconds since 1970. */
  readonly openedAt: number;
  readonly settings?: CountedSettings;
  /** Absent before the first GET. */
  readonly home?: OutStreamClaim;
}

/** The last claim of a process to send the messages of a session that belong to no request. */
export interface OutStreamClaim {
  /** Grows with each GET: of two GETs at the same time, the one with the greater number stays open. */
  readonly count: number;
  /** The position of the last of these messages that a client has received. */
  readonly position: number;
}

/** The settings of a session, and the number of their changes. */
export interface CountedSettings extends SessionSettings {
  readonly count: number;
}

/** The part of a shared session that differs between processes. */
export interface SharedPlace {
  /** True if this process sends the messages that belong to no request. */
  hasOutStream: boolean;
  /** The greatest number of a claim that is known here. */
  outStreamClaims: number;
  /** The number of changes of the settings that are known here. */
  count: number;
}

/** The checked record of a session. */
export interface CheckedRecord {
  readonly revision: Revision;
  readonly peer: RequestStamp;
  readonly owner: string | undefined;
  readonly openedAt: number;
  readonly settings: CountedSettings | undefined;
  readonly home: OutStreamClaim;
}

/** Characters of an owner's name. */
const longestOwner = 16_384;
/** Milliseconds by which the clocks of two processes may differ. */
const clockTolerance = 300_000;

/**
 * Checks a record of a session store, which other programs may write to.
 * @param limits - the record must not be longer than the request that opens a session can be.
 * @returns the problem as a text.
 */
export function checkedRecord(given: unknown, limits: Pick<HttpBounds, 'bodyBytes'>): CheckedRecord | string {
  if (!isObject(given)) return 'it is not an object';
  const { revision: id, peer, owner, openedAt, settings, home } = given;
  const revision = typeof id === 'string' ? findRevision(id) : undefined;
  if (revision?.lifecycle !== 'handshake') return '"revision" is not the name of a revision with a handshake';
  if (owner !== undefined && (typeof owner !== 'string' || owner.length > longestOwner))
    return `"owner" is not a text of at most ${longestOwner} characters`;
  if (typeof openedAt !== 'number' || !(openedAt >= 0 && openedAt <= Date.now() + clockTolerance))
    return '"openedAt" is not a time in the past, in milliseconds since 1970';
  const stamp = checkedPeer(peer, revision, limits.bodyBytes);
  if (typeof stamp === 'string') return stamp;
  const counted = settings === undefined ? undefined : checkedSettings(settings);
  if (settings !== undefined && counted === undefined) return '"settings" are not those of a session';
  return { revision, peer: stamp, owner, openedAt, settings: counted, home: outStreamClaimOf(home) };
}

/** Returns the claim in a record; that of a new session if it is absent or malformed. */
export function outStreamClaimOf(given: unknown): OutStreamClaim {
  const { count, position } = isObject(given) ? given : {};
  return isWhole(count) && isWhole(position) ? { count, position } : { count: 0, position: 0 };
}

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns settings of another process; undefined if they have another shape. */
export function checkedSettings(given: unknown): CountedSettings | undefined {
  if (!isObject(given)) return undefined;
  const { count, logLevel, subscriptions } = given;
  const isValid =
    typeof count === 'number' &&
    Number.isSafeInteger(count) &&
    (logLevel === undefined || (logLevels as readonly unknown[]).includes(logLevel)) &&
    (subscriptions === undefined ||
      (Array.isArray(subscriptions) && subscriptions.every((uri) => typeof uri === 'string')));
  return isValid ? (given as unknown as CountedSettings) : undefined;
}

function checkedPeer(peer: unknown, revision: Revision, longest: number): RequestStamp | string {
  if (!isObject(peer)) return '"peer" is not an object';
  if (!isShort(peer, longest)) return `"peer" is not JSON of at most ${longest} characters`;
  const { clientCapabilities, clientInfo } = peer;
  const row = revision.requests.client.get('initialize');
  if (row === undefined) return `revision ${revision.id} has no handshake`;
  const unnamed = { name: 'unnamed', version: '0' };
  const params = {
    protocolVersion: revision.id,
    capabilities: clientCapabilities,
    clientInfo: clientInfo === undefined ? unnamed : clientInfo,
  };
  const decoded = decodeParams(row, params);
  if (!decoded.ok) return `"peer" does not fit a handshake of ${revision.id}: ${decoded.problem}`;
  const said = decoded.value as { capabilities: RequestStamp['clientCapabilities']; clientInfo: never };
  return {
    clientCapabilities: said.capabilities,
    ...(clientInfo !== undefined && { clientInfo: said.clientInfo }),
  };
}

function isShort(value: object, longest: number): boolean {
  try {
    return JSON.stringify(value).length <= longest;
  } catch {
    return false;
  }
}
