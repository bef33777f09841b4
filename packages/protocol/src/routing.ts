import { unsupportedVersion } from './edge.js';
import { ErrorCode } from './errors.js';
import { isObject } from './json.js';
import type { WireError } from './json-rpc.js';
import { MetaKey } from './meta.js';
import type { Revision } from './revision.js';

/** Where an HTTP message belongs: to no session, to the session it opens, or to one that is open. */
export interface Route {
  readonly kind: 'stateless' | 'opening' | 'session';
  /**
   * The revision that the header names. Without a header it is undefined for stateless messages, and for the others the
   * revision of clients that send no such header. Undefined for a message that opens a session.
   *
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
   */
  readonly revision: Revision | undefined;
  /** The error for a header that names no revision with sessions. */
  readonly error?: WireError | undefined;
}

const stated: Route = { kind: 'stateless', revision: undefined };
const opening: Route = { kind: 'opening', revision: undefined };

/** Decides where HTTP messages belong: the part of the edge that comes first. Made once for the revisions spoken, newest first. */
export class Routing {
  /** True where a revision is spoken that begins with a handshake. */
  readonly handshake: boolean;
  readonly #supported: readonly Revision[];
  readonly #stateless = new Map<string, Route>();
  readonly #sessions = new Map<string, Route>();
  readonly #assumed: Route;

  constructor(supported: readonly Revision[]) {
    this.#supported = supported;
    const sessions = supported.filter(({ lifecycle }) => lifecycle === 'handshake');
    for (const revision of supported) {
      if (revision.lifecycle === 'stateless') this.#stateless.set(revision.id, { ...stated, revision });
      else this.#sessions.set(revision.id, { kind: 'session', revision });
    }
    this.handshake = sessions.length > 0;
    // The newest revision that has no such header; a server without one cannot be meant by a client of that age.
    const revision =
      sessions.find((one) => !one.rules.versionHeader && one.rules.resumable) ?? sessions.at(-1);
    this.#assumed = { kind: 'session', revision };
  }

  /**
   * Decides where a parsed message belongs, before anything else of it is read. Never throws.
   * @param version - the value of the version header.
   */
  routeOf(value: unknown, version: string | undefined): Route {
    const named = version === undefined ? undefined : this.#stateless.get(version);
    if (named !== undefined) return named;
    if (!this.handshake) return stated;
    const isMessage = isObject(value);
    if (this.#stateless.size > 0 && isMessage && isObject(value.params)) {
      const { _meta: meta } = value.params;
      if (isObject(meta) && meta[MetaKey.protocolVersion] !== undefined) return stated;
    }
    const opens = isMessage && value.method === 'initialize';
    const route = version === undefined ? this.#assumed : this.#sessions.get(version);
    if (route !== undefined) return opens ? opening : route;
    return { kind: opens ? 'opening' : 'session', revision: undefined, error: this.versionProblem(version) };
  }

  /** The error for a version header that names no revision with sessions; undefined for any other, and without a header. */
  versionProblem(version: string | undefined): WireError | undefined {
    if (version === undefined || this.#sessions.has(version)) return undefined;
    const error = unsupportedVersion(version, this.#supported);
    // To a client that knows both lifecycles this code says that the server has the stateless one.
    return this.#stateless.size > 0 ? error : { ...error, code: ErrorCode.invalidRequest };
  }
}
