import { unsupportedVersion } from './edge.js';
import { ErrorCode } from './errors.js';
import { isObject } from './json.js';
import type { WireError } from './json-rpc.js';
import { MetaKey } from './meta.js';
import type { Revision } from './revision.js';

/** To what an HTTP message belongs: to nothing but itself, to a session it opens, or to one that is open. */
export type Route = 'stateless' | 'opening' | 'session';

/** Tells to what messages belong that come over HTTP. Made once for the revisions that are spoken, newest first. */
export class Routing {
  /** True where a revision is spoken that begins with a handshake. */
  readonly handshake: boolean;
  readonly #supported: readonly Revision[];
  readonly #stateless = new Set<string>();
  readonly #sessions = new Map<string, Revision>();
  readonly #assumed: Revision | undefined;

  constructor(supported: readonly Revision[]) {
    this.#supported = supported;
    for (const revision of supported) {
      if (revision.lifecycle === 'stateless') this.#stateless.add(revision.id);
      else this.#sessions.set(revision.id, revision);
    }
    const sessions = [...this.#sessions.values()];
    this.handshake = sessions.length > 0;
    // The newest revision that has no such header; a server without one cannot be meant by a client of that age.
    this.#assumed =
      sessions.find((one) => !one.rules.versionHeader && one.rules.resumable) ?? sessions.at(-1);
  }

  /**
   * Tells to what a parsed message belongs, before anything else of it is looked at. Never throws.
   * @param version - as the header names it.
   */
  routeOf(value: unknown, version: string | undefined): Route {
    if (!this.handshake) return 'stateless';
    const isMessage = isObject(value);
    if (this.#stateless.size > 0) {
      if (version !== undefined && this.#stateless.has(version)) return 'stateless';
      const meta = isMessage && isObject(value.params) ? value.params._meta : undefined;
      if (isObject(meta) && meta[MetaKey.protocolVersion] !== undefined) return 'stateless';
    }
    return isMessage && value.method === 'initialize' ? 'opening' : 'session';
  }

  /** The error for a version header that names no session revision of this server; undefined for any other, and for none. */
  versionFlaw(version: string | undefined): WireError | undefined {
    if (version === undefined || this.#sessions.has(version)) return undefined;
    const error = unsupportedVersion(version, this.#supported);
    // To a client that knows both lifecycles this code says that the server has the stateless one.
    return this.#stateless.size > 0 ? error : { ...error, code: ErrorCode.invalidRequest };
  }

  /**
   * The revision of a request outside any session: the one its header names, else the one that clients without such a
   * header mean. Undefined for a name that is not spoken here.
   *
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
   */
  assumed(version: string | undefined): Revision | undefined {
    return version === undefined ? this.#assumed : this.#sessions.get(version);
  }
}
