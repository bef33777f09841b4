import { decodeParams, findRevision, type RequestStamp, type Revision } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { HttpLimits } from '../endpoint/http-limits.js';

/** What a store keeps of a session, once it has been checked. */
export interface CheckedRecord {
  readonly revision: Revision;
  readonly peer: RequestStamp;
  readonly owner: string | undefined;
  readonly openedAt: number;
}

/** Characters of the name of an owner. */
const longestOwner = 16_384;
/** Milliseconds that the clocks of two processes may be apart. */
const clockTolerance = 300_000;

/**
 * Checks what a session store gave: other programs may write to it.
 * @param limits - a record is no longer than the request that opens a session can be.
 * @returns what is wrong with it, as a text.
 */
export function checkedRecord(given: unknown, limits: Pick<HttpLimits, 'bodyBytes'>): CheckedRecord | string {
  if (!isObject(given)) return 'it is not an object';
  const { revision: id, peer, owner, openedAt } = given;
  const revision = typeof id === 'string' ? findRevision(id) : undefined;
  if (revision?.lifecycle !== 'handshake') return '"revision" is not the name of a revision with a handshake';
  if (owner !== undefined && (typeof owner !== 'string' || owner.length > longestOwner))
    return `"owner" is not a text of at most ${longestOwner} characters`;
  if (typeof openedAt !== 'number' || !(openedAt >= 0 && openedAt <= Date.now() + clockTolerance))
    return '"openedAt" is not a time in the past, in milliseconds since 1970';
  const stamp = checkedPeer(peer, revision, limits.bodyBytes);
  return typeof stamp === 'string' ? stamp : { revision, peer: stamp, owner, openedAt };
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
