import { MetaKey } from '@tenon/mcp-protocol';
import { clientNameIn, type WireMessage } from '../call-trace.js';

/** URIs of resources that are kept. */
const mostUris = 10_000;

/** The settings that a client has made at the server, for the next child. */
export class SessionMemory {
  /** The params of the handshake; undefined before, and in the revision without one. */
  handshake: unknown;
  /** True if the client has confirmed the handshake. */
  isConfirmed = false;
  /** The metadata of requests in the revision without a handshake. */
  stamp: unknown;
  client = 'client';
  #logLevel: unknown;
  readonly #subscribed = new Map<string, unknown>();

  /** Notes a request of the client. */
  sees(message: WireMessage): void {
    this.client = clientNameIn(message) ?? this.client;
    const meta = Object(Object(message.params)._meta);
    if (MetaKey.protocolVersion in meta) {
      const { [MetaKey.protocolVersion]: version, [MetaKey.clientInfo]: info } = meta;
      const capabilities = meta[MetaKey.clientCapabilities];
      this.stamp = {
        [MetaKey.protocolVersion]: version,
        [MetaKey.clientInfo]: info,
        [MetaKey.clientCapabilities]: capabilities,
      };
    }
  }

  /** Notes that the server has answered a request with a result. */
  accepts({ method, params }: WireMessage): void {
    const { uri } = Object(params);
    if (method === 'initialize') this.handshake = params;
    else if (method === 'logging/setLevel') this.#logLevel = params;
    else if (method === 'resources/unsubscribe') this.#subscribed.delete(uri);
    else if (method === 'resources/subscribe' && this.#subscribed.size < mostUris)
      this.#subscribed.set(uri, params);
  }

  /** The requests that set the next child after the handshake. */
  *settings(): Iterable<{ readonly method: string; readonly params: object }> {
    if (this.#logLevel !== undefined) yield { method: 'logging/setLevel', params: Object(this.#logLevel) };
    for (const params of this.#subscribed.values())
      yield { method: 'resources/subscribe', params: Object(params) };
  }
}
