import type { Revision, WireError } from '@tenon/mcp-protocol';
import { unsupportedVersion } from '@tenon/mcp-protocol/internal';

/** Returns the revision of a server's answer to `initialize`: the requested one, or the newest; undefined if it has none. */
export function answerVersion(requested: string, supported: readonly Revision[]): Revision | undefined {
  const known = supported.filter((one) => one.lifecycle === 'handshake');
  return known.find((one) => one.id === requested) ?? known[0];
}

/**
 * Returns the error for `initialize` at a server without handshake revisions. Its message names the revisions of the server,
 * because clients may show only the message.
 */
export function refuseHandshake(requested: unknown, supported: readonly Revision[]): WireError {
  const error = unsupportedVersion(requested, supported);
  const names = supported.map((one) => one.id).join(', ');
  return { ...error, message: `${error.message}: this server speaks ${names}, without initialize.` };
}

/** Returns the sentence that lists the revisions of both ends. */
export function noCommon(offered: readonly string[], ours: readonly Revision[]): string {
  const shown = offered.slice(0, 16).map((one) => String(one).slice(0, 40));
  const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));
  return `The server offers ${list(shown)}; this client speaks ${list(ours.map((one) => one.id))}.`;
}

const handshakes = new WeakMap<readonly Revision[], readonly Revision[]>();

/** Returns the handshake revisions of an end, newest first; the same list each time for the same end. */
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
