import type { Revision } from '../codec/revision.js';
import { ErrorCode } from '../json-rpc/errors.js';
import { isObject } from '../json-rpc/json.js';
import type { WireError } from '../json-rpc/messages.js';
import { MetaKey } from '../json-rpc/meta.js';
import { unsupportedVersion } from './edge.js';
import { encodeHeaderValue } from './header-values.js';

/** The route of an HTTP message: no session, the session it opens, or an open session. */
export interface Route {
  readonly kind: 'stateless' | 'opening' | 'session';
  /**
   * The revision in the header. Without a header: undefined for stateless messages; for all others the
   * revision of clients that do not send the header. Undefined for a message that opens a session.
   *
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
   */
  readonly revision: Revision | undefined;
  /** The error for a header without the name of a revision with sessions. */
  readonly error?: WireError | undefined;
}

const stated: Route = { kind: 'stateless', revision: undefined };
const opening: Route = { kind: 'opening', revision: undefined };

/** Characters of a name that an error repeats. */
const maxNameLength = 128;

/**
 * Describes how a client sends a request without a session, for an error text: the headers, and the metadata.
 * @param supported - revisions, newest first.
 * @returns undefined if the value is not a request of a stateless revision.
 */
export function standaloneForm(supported: readonly Revision[], value: unknown): string | undefined {
  const revision = supported.find(({ lifecycle }) => lifecycle === 'stateless');
  if (revision === undefined || !isObject(value) || typeof value.method !== 'string') return undefined;
  const row = revision.requests.client.get(value.method);
  if (row === undefined) return undefined;
  const name = isObject(value.params) && row.named !== undefined ? value.params[row.named] : undefined;
  const headers = [`MCP-Protocol-Version: ${revision.id}`];
  if (revision.rules.mirroredHeaders) headers.push(`Mcp-Method: ${value.method}`);
  if (revision.rules.mirroredHeaders && typeof name === 'string')
    headers.push(`Mcp-Name: ${encodeHeaderValue(name.slice(0, maxNameLength))}`);
  const meta = { [MetaKey.protocolVersion]: revision.id, [MetaKey.clientCapabilities]: {} };
  return `the headers ${headers.join(', ')}, and in params "_meta": ${JSON.stringify(meta)}`;
}

/** Decides the route of HTTP messages: the first part of the edge. Created once for the supported revisions, newest first. */
export class Routing {
  /** True if a handshake revision is supported. */
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
    // The newest revision without the header. A client that omits the header supports nothing newer.
    const revision =
      sessions.find((one) => !one.rules.versionHeader && one.rules.resumable) ?? sessions.at(-1);
    this.#assumed = { kind: 'session', revision };
  }

  /**
   * Decides the route of a parsed message, before anything else in it is read. Never throws.
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

  /** Returns the error for a version header without the name of a revision with sessions; undefined if there is no header. */
  versionProblem(version: string | undefined): WireError | undefined {
    if (version === undefined || this.#sessions.has(version)) return undefined;
    const error = unsupportedVersion(version, this.#supported);
    // This code makes a client with both lifecycles choose the stateless one.
    return this.#stateless.size > 0 ? error : { ...error, code: ErrorCode.invalidRequest };
  }
}
