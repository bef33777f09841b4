import type { CarrierFacts } from './connection.js';
import { unsupportedVersion } from './edge.js';
import { ErrorCode } from './errors.js';
import { isObject } from './json.js';
import type { WireError } from './json-rpc.js';
import { MetaKey } from './meta.js';
import type { Revision } from './revision.js';

/** To what an HTTP message belongs: to nothing but itself, to a session it opens, or to one that is open. */
export type Route = 'stateless' | 'opening' | 'session';

/** Tells to what a parsed message belongs, before anything else of it is looked at. Never throws. */
export function routeOf(value: unknown, facts: CarrierFacts, supported: readonly Revision[]): Route {
  const stateless = supported.some((one) => one.lifecycle === 'stateless');
  const handshake = supported.some((one) => one.lifecycle === 'handshake');
  if (!handshake) return 'stateless';
  if (stateless && isStateless(value, facts, supported)) return 'stateless';
  return isObject(value) && value.method === 'initialize' ? 'opening' : 'session';
}

function isStateless(value: unknown, facts: CarrierFacts, supported: readonly Revision[]): boolean {
  if (isObject(value) && isObject(value.params)) {
    const meta = value.params._meta;
    if (isObject(meta) && meta[MetaKey.protocolVersion] !== undefined) return true;
  }
  const { protocolVersion } = facts;
  return (
    protocolVersion !== undefined &&
    supported.some((one) => one.id === protocolVersion && one.lifecycle === 'stateless')
  );
}

/** The error for a version header that names no session revision of this server; undefined for any other, and for none. */
export function versionHeaderFlaw(
  { protocolVersion }: CarrierFacts,
  supported: readonly Revision[],
): WireError | undefined {
  if (protocolVersion === undefined) return undefined;
  const known = supported.some((one) => one.id === protocolVersion && one.lifecycle === 'handshake');
  if (known) return undefined;
  const error = unsupportedVersion(protocolVersion, supported);
  // To a client that knows both lifecycles this code says that the server has the stateless one.
  const stateless = supported.some((one) => one.lifecycle === 'stateless');
  return stateless ? error : { ...error, code: ErrorCode.invalidRequest };
}

/**
 * The revision of a request outside any session: the one its header names, else the one that clients without such a
 * header mean. Undefined for a name that is not spoken here.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
 */
export function assumedRevision(
  { protocolVersion }: CarrierFacts,
  supported: readonly Revision[],
): Revision | undefined {
  const known = supported.filter((one) => one.lifecycle === 'handshake');
  if (protocolVersion !== undefined) return known.find((one) => one.id === protocolVersion);
  // The newest revision that has no such header; a server without one cannot be meant by a client of that age.
  return known.find((one) => !one.rules.versionHeader && one.rules.resumable) ?? known.at(-1);
}
