import {
  type ClientCapabilities,
  ErrorCode,
  type Principal,
  type ResourceParams,
  type Revision,
  RpcError,
  type SessionSettings,
} from '@tenon/mcp-protocol';
import { Endpoint, type IncomingRequest } from '@tenon/mcp-session';
import { changeSettings } from '../../context/session-settings.js';
import type { Change, Listener } from '../../core/audience.js';
import { requireScopes } from '../../core/call-port.js';
import type { ServerFeature } from '../../core/feature.js';
import { isListening } from '../../core/initialization.js';
import { maxUriLength } from '../../uri-templates/uri-template.js';
import { SubscribedText, type SubscriptionParts } from './subscribed-text.js';

/** The subscriptions of a session. */
interface Subscriptions {
  readonly uris: Set<string>;
  readonly text: SubscribedText;
}

/** The subscriptions of each session; sessions without one have no entry. */
const subscribed = new WeakMap<Endpoint, Subscriptions>();

/** The check of the scopes that updates of a resource need. */
export interface Scoped {
  scopesOf(uri: string, principal: Principal | undefined): readonly string[];
}

/** The methods by which sessions subscribe to single resources. */
export function resourceSubscriptions(
  server: SubscriptionParts,
  resources: Scoped,
): NonNullable<ServerFeature['methods']> {
  return {
    'resources/subscribe': {
      handle(request) {
        const { uri } = request.params as unknown as ResourceParams;
        requireShort(uri, 'params.uri');
        requireScopes(request, resources.scopesOf(uri, request.principal));
        const endpoint = sessionOf(request);
        const session = subscriptionsOf(server, endpoint);
        return changeSettings(endpoint, {
          change: (settings) => withUri(server, settings, { uri, text: session.text }),
          apply: () => subscribe(server, session, uri),
        });
      },
    },
    'resources/unsubscribe': {
      handle(request) {
        const { uri } = request.params as unknown as ResourceParams;
        const endpoint = sessionOf(request);
        const { uris, text } = subscriptionsOf(server, endpoint);
        return changeSettings(endpoint, {
          change: (settings) => withoutUri(settings, uri),
          apply: () => {
            if (uris.delete(uri)) text.release(uri.length);
          },
        });
      },
    },
  };
}

/**
 * Replaces the subscriptions of a session by those that its client has made in another process. Reports that some are malformed or
 * exceed the limits, and leaves them out.
 */
export function adoptSubscriptions(
  server: SubscriptionParts,
  endpoint: Endpoint,
  wanted: readonly string[],
): void {
  if (wanted.length === 0 && !subscribed.has(endpoint)) return;
  const session = subscriptionsOf(server, endpoint);
  const kept = new Set(wanted);
  for (const uri of session.uris) {
    if (kept.has(uri)) continue;
    session.uris.delete(uri);
    session.text.release(uri.length);
  }
  let problem: unknown;
  for (const uri of kept) {
    try {
      requireShort(uri, 'The subscriptions of another process');
      subscribe(server, session, uri);
    } catch (error) {
      problem ??= error;
    }
  }
  if (problem !== undefined) server.onError(problem, 'resources/subscribe');
}

/** @throws RpcError if the session has as many subscriptions as it may have. */
function subscribe(server: SubscriptionParts, { uris, text }: Subscriptions, uri: string): void {
  if (uris.has(uri)) return;
  requireFewer(server, uris.size);
  text.hold(uri.length);
  uris.add(uri);
}

function requireFewer({ limits }: SubscriptionParts, subscriptions: number): void {
  if (subscriptions < limits.subscriptions) return;
  const message = `A session may subscribe to ${limits.subscriptions} resources; unsubscribe from one first.`;
  throw new RpcError(ErrorCode.overloaded, message);
}

/** @throws RpcError if the session has as many subscriptions as it may have. */
function withUri(
  server: SubscriptionParts,
  settings: SessionSettings,
  { uri, text }: { readonly uri: string; readonly text: SubscribedText },
): SessionSettings {
  const { subscriptions = [] } = settings;
  if (subscriptions.includes(uri)) return settings;
  requireFewer(server, subscriptions.length);
  const all = [...subscriptions, uri];
  text.requireRoom(all.reduce((sum, one) => sum + one.length, 0));
  return { ...settings, subscriptions: all };
}

function withoutUri(settings: SessionSettings, uri: string): SessionSettings {
  const { subscriptions = [] } = settings;
  if (!subscriptions.includes(uri)) return settings;
  return { ...settings, subscriptions: subscriptions.filter((one) => one !== uri) };
}

/**
 * A session as a listener: it receives all list changes, and updates of its subscribed resources. There may be very many.
 * A session of one process without a message since its handshake may not be initialized, and reads the lists later: it receives
 * nothing yet.
 * While another process serves the stream of the session, the listener of that process receives the changes.
 */
export class SessionListener implements Listener {
  readonly revision: Revision;
  readonly endpoint: Endpoint;
  readonly #opener: Principal | undefined;

  /** @param opener - the principal that began the session, if the transport knows only that of each message. */
  constructor(endpoint: Endpoint, revision: Revision, opener: Principal | undefined) {
    this.revision = revision;
    this.endpoint = endpoint;
    this.#opener = opener;
  }

  /** The credentials of the last message: the scopes may have changed since the session began. */
  get principal(): Principal | undefined {
    return this.endpoint.connection.facts.principal ?? this.#opener;
  }

  get anonymous(): boolean {
    return this.endpoint.connection.facts.anonymous === true;
  }

  get subscriptions(): Iterable<string> {
    return subscribed.get(this.endpoint)?.uris ?? [];
  }

  declares(id: string): boolean {
    return isListening(this.endpoint) && declares(this.endpoint.peer.clientCapabilities, id);
  }

  wants({ uri }: Change): boolean {
    if (this.endpoint.connection.shared?.isServedElsewhere === true || !isListening(this.endpoint))
      return false;
    return uri === undefined || subscribed.get(this.endpoint)?.uris.has(uri) === true;
  }

  send(frame: string): void {
    this.endpoint.connection.send(frame, { unrelated: true })?.catch(() => undefined);
  }
}

/** The data of a peer is limited in size, not only in number. */
export function requireShort(uri: string, path: string): void {
  if (uri.length <= maxUriLength) return;
  throw new RpcError(
    ErrorCode.invalidParams,
    `${path}: expected a URI of at most ${maxUriLength} characters`,
  );
}

/** True if a client has declared an extension. */
export function declares({ extensions }: ClientCapabilities, id: string): boolean {
  return extensions !== undefined && Object.hasOwn(extensions, id);
}

/** @throws RpcError if only answers reach the client. */
function sessionOf(request: IncomingRequest): Endpoint {
  const endpoint = request.host.conversation;
  if (endpoint instanceof Endpoint && !request.exchange.facts.answersOnly) return endpoint;
  throw new RpcError(
    ErrorCode.methodNotFound,
    `${request.method} needs a session that carries more than answers.`,
  );
}

function subscriptionsOf(server: SubscriptionParts, endpoint: Endpoint): Subscriptions {
  let subscriptions = subscribed.get(endpoint);
  if (subscriptions === undefined) {
    const text = new SubscribedText(server);
    subscriptions = { uris: new Set(), text };
    subscribed.set(endpoint, subscriptions);
    endpoint.onClosed(() => text.release());
  }
  return subscriptions;
}
