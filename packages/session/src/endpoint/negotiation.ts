import { type Revision, SessionError, type WireError } from '@tenon/mcp-protocol';
import { unsupportedVersion } from '@tenon/mcp-protocol/internal';

/** The revision a server answers `initialize` with: the one asked for, or the newest it has; undefined if it has none. */
export function answerVersion(requested: string, supported: readonly Revision[]): Revision | undefined {
  const known = supported.filter((one) => one.lifecycle === 'handshake');
  return known.find((one) => one.id === requested) ?? known[0];
}

/**
 * The refusal of `initialize` by a server that has no revision with a handshake. Its message names what the server
 * speaks, for that may be all a client can show.
 */
export function refuseHandshake(requested: unknown, supported: readonly Revision[]): WireError {
  const error = unsupportedVersion(requested, supported);
  const names = supported.map((one) => one.id).join(', ');
  return { ...error, message: `${error.message}: this server speaks ${names}, without initialize.` };
}

/**
 * The revision a server's list and ours have in common: the first of ours that it names too.
 * @throws SessionError `no-common-revision`, naming both lists.
 */
export function commonRevision(offered: readonly string[], ours: readonly Revision[]): Revision {
  const found = ours.find((one) => offered.includes(one.id));
  if (found !== undefined) return found;
  throw new SessionError('no-common-revision', noCommon(offered, ours));
}

/** The sentence that tells two ends apart. */
export function noCommon(offered: readonly string[], ours: readonly Revision[]): string {
  const told = offered.slice(0, 16).map((one) => String(one).slice(0, 40));
  const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));
  return `The server offers ${list(told)}; this client speaks ${list(ours.map((one) => one.id))}.`;
}

const handshakes = new WeakMap<readonly Revision[], readonly Revision[]>();

/** The revisions of an end that have a handshake, newest first; the same list again for the same end. */
export function withHandshake({
  revisions,
}: {
  readonly revisions: readonly Revision[];
}): readonly Revision[] {
  let found = handshakes.get(revisions);
  if (found === undefined) {
    found = revisions.filter((one) => one.lifecycle === 'handshake');
    handshakes.set(revisions, found);
  }
  return found;
}
