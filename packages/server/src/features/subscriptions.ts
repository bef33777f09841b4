import {
  type ClientCapabilities,
  ErrorCode,
  encodeResult,
  type ListenParams,
  MetaKey,
  type Principal,
  type ResourceParams,
  type Revision,
  RpcError,
  type SubscriptionFilter,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { detach, notificationFrame, resultFrame } from '@tenon/mcp-protocol/internal';
import { Endpoint, type IncomingRequest } from '@tenon/mcp-session';
import type { Change, Listener } from '../audience.js';
import type { Definition } from '../definition.js';
import { undeclared } from '../extensions/offered.js';
import type { ServerFeature } from '../feature.js';
import { isListening } from '../readiness.js';
import { requireScopes } from '../required-scopes.js';
import { maxUriLength } from '../uri-template.js';
import { takeShare } from './stream-shares.js';
import { SubscribedText } from './subscribed-text.js';

/** What a session asked to be told of. */
interface Subscriptions {
  readonly uris: Set<string>;
  readonly text: SubscribedText;
}

/** The subscriptions of each session; sessions that asked for none have no entry. */
const subscribed = new WeakMap<Endpoint, Subscriptions>();

/** Tells which scopes it takes to hear of a resource. */
export interface Scoped {
  scopesOf(uri: string, principal: Principal | undefined): readonly string[];
}

/** Opens listen streams, and ends them when the server closes. */
export function subscriptions(definition: Definition, resources: Scoped): ServerFeature {
  return {
    name: 'subscriptions',
    methods: {
      'subscriptions/listen': { handle: (request) => listen(definition, request, resources) },
    },
    closing: () => endStreams(definition),
  };
}

/** The methods by which sessions subscribe to single resources. */
export function resourceSubscriptions(
  definition: Definition,
  resources: Scoped,
): NonNullable<ServerFeature['methods']> {
  return {
    'resources/subscribe': {
      handle(request) {
        const { uri } = request.params as unknown as ResourceParams;
        requireShort(uri, 'params.uri');
        requireScopes(request, resources.scopesOf(uri, request.principal));
        const { uris, text } = subscriptionsOf(definition, request);
        if (uris.has(uri)) return {};
        if (uris.size >= definition.limits.subscriptions) {
          const message = `A session may subscribe to ${definition.limits.subscriptions} resources; unsubscribe from one first.`;
          throw new RpcError(ErrorCode.overloaded, message);
        }
        text.hold(uri.length);
        uris.add(uri);
        return {};
      },
    },
    'resources/unsubscribe': {
      handle(request) {
        const { uri } = request.params as unknown as ResourceParams;
        const { uris, text } = subscriptionsOf(definition, request);
        if (uris.delete(uri)) text.release(uri.length);
        return {};
      },
    },
  };
}

/**
 * A session as a listener: it hears of every list, and of the resources it subscribed to. There may be very many.
 * One that has said nothing since its handshake may not be ready, and reads the lists once it is: it hears nothing yet.
 */
export class SessionListener implements Listener {
  readonly revision: Revision;
  readonly #endpoint: Endpoint;
  readonly #opener: Principal | undefined;

  /** @param opener - who began the session, where the carrier knows that of its messages alone. */
  constructor(endpoint: Endpoint, revision: Revision, opener: Principal | undefined) {
    this.revision = revision;
    this.#endpoint = endpoint;
    this.#opener = opener;
  }

  /** With what the session has shown last: its scopes may be others than those it began with. */
  get principal(): Principal | undefined {
    return this.#endpoint.connection.facts.principal ?? this.#opener;
  }

  get anonymous(): boolean {
    return this.#endpoint.connection.facts.anonymous === true;
  }

  declares(id: string): boolean {
    return isListening(this.#endpoint) && declares(this.#endpoint.peer.clientCapabilities, id);
  }

  wants({ uri }: Change): boolean {
    if (!isListening(this.#endpoint)) return false;
    return uri === undefined || subscribed.get(this.#endpoint)?.uris.has(uri) === true;
  }

  send(frame: string): void {
    this.#endpoint.connection.send(frame, { unrelated: true })?.catch(() => undefined);
  }
}

/** What is remembered for a peer is bounded in size, not only in number. */
function requireShort(uri: string, path: string): void {
  if (uri.length <= maxUriLength) return;
  throw new RpcError(
    ErrorCode.invalidParams,
    `${path}: expected a URI of at most ${maxUriLength} characters`,
  );
}

function subscriptionsOf(definition: Definition, request: IncomingRequest): Subscriptions {
  const endpoint = request.host.conversation;
  if (!(endpoint instanceof Endpoint) || request.exchange.facts.answersOnly)
    throw new RpcError(
      ErrorCode.methodNotFound,
      `${request.method} needs a session that carries more than answers.`,
    );
  let subscriptions = subscribed.get(endpoint);
  if (subscriptions === undefined) {
    const text = new SubscribedText(definition);
    subscriptions = { uris: new Set(), text };
    subscribed.set(endpoint, subscriptions);
    endpoint.onClosed(() => text.release());
  }
  return subscriptions;
}

/** Ends one listen stream: gracefully, that is with its answer, or without a word. */
type End = (graceful: boolean) => void;

/** Listen streams open at present, by server. */
const openStreams = new WeakMap<Definition, Set<End>>();

/** Ends every listen stream with its answer. */
function endStreams(definition: Definition): void {
  for (const end of openStreams.get(definition) ?? []) end(true);
}

function listen(definition: Definition, request: IncomingRequest, resources: Scoped): Promise<UnknownObject> {
  // Middleware may have taken its time.
  if (request.cancelled) throw request.signal.reason;
  const { audience, limits } = definition;
  const open = openStreams.get(definition) ?? new Set();
  openStreams.set(definition, open);
  if (open.size >= limits.listenStreams) {
    const message = `This server holds ${limits.listenStreams} listen streams already; try again later.`;
    throw new RpcError(ErrorCode.overloaded, message);
  }
  const wanted = (request.params as unknown as ListenParams).notifications;
  const added = addedFilters(definition, request, wanted as UnknownObject);
  const filter = { ...honoured(definition, wanted), ...added };
  const { resourceSubscriptions: uris = [] } = filter;
  requireScopes(
    request,
    uris.flatMap((uri) => resources.scopesOf(uri, request.principal)),
  );
  const text = new SubscribedText(definition);
  const giveBack = takeShare(definition, request);
  try {
    for (const uri of uris) text.hold(uri.length);
    for (const value of Object.values(added)) text.hold(JSON.stringify(value).length);
  } catch (error) {
    text.release();
    giveBack();
    throw error;
  }
  const meta = { [MetaKey.subscriptionId]: request.id };
  const acknowledged = { notifications: filter, _meta: meta };
  detach(request.notify('notifications/subscriptions/acknowledged', acknowledged), () => {});
  return new Promise((resolve) => {
    const stopListening = audience.add(streamListener(request, filter, meta));
    const endpoint = request.host.conversation;
    const forget =
      endpoint instanceof Endpoint
        ? endpoint.onEnding(() => end(true))
        : request.exchange.onEnding?.(() => end(true));
    const end: End = (graceful) => {
      if (!stopListening()) return;
      open.delete(end);
      giveBack();
      text.release();
      forget?.();
      if (graceful && endpoint instanceof Endpoint && request.exchange === endpoint.connection)
        sayGoodbye(definition, request, meta);
      resolve({ _meta: meta });
    };
    open.add(end);
    request.signal.addEventListener('abort', () => end(false), { once: true });
  });
}

/**
 * Ends a stream that shares its channel with others: the answer, then the cancellation that tells a reader of the
 * channel that nothing more comes. Both are written here so that their order is certain.
 */
function sayGoodbye(definition: Definition, request: IncomingRequest, meta: UnknownObject): void {
  const row = request.revision.requests.client.get(request.method);
  if (row === undefined) return;
  const result = request.revision.codec.resultText(encodeResult(row, { _meta: meta }), definition.info);
  request.exchange.send(resultFrame(request.id, result))?.catch(() => undefined);
  const params = { requestId: request.id, reason: 'The server ends the subscription.' };
  request.exchange.send(notificationFrame('notifications/cancelled', params))?.catch(() => undefined);
  request.cancel('answered');
}

function streamListener(request: IncomingRequest, filter: SubscriptionFilter, meta: UnknownObject): Listener {
  const uris = new Set(filter.resourceSubscriptions);
  return {
    revision: request.revision,
    principal: request.principal,
    anonymous: request.exchange.facts.anonymous === true,
    meta,
    filter: filter as UnknownObject,
    declares: (id) => declares(request.from.clientCapabilities, id),
    wants: (change) => wants(filter, uris, change),
    send(frame) {
      if (!request.cancelled) request.exchange.send(frame)?.catch(() => undefined);
    },
  };
}

function wants(filter: SubscriptionFilter, uris: ReadonlySet<string>, change: Change): boolean {
  switch (change.method) {
    case 'notifications/tools/list_changed':
      return filter.toolsListChanged === true;
    case 'notifications/prompts/list_changed':
      return filter.promptsListChanged === true;
    case 'notifications/resources/list_changed':
      return filter.resourcesListChanged === true;
    default:
      return change.uri !== undefined && uris.has(change.uri);
  }
}

function declares({ extensions }: ClientCapabilities, id: string): boolean {
  return extensions !== undefined && Object.hasOwn(extensions, id);
}

/**
 * The members of a filter that belong to extensions which are offered in the revision.
 * @throws RpcError invalid params for a value that its extension refuses; MissingCapabilityError if the client did not declare it.
 */
function addedFilters(
  { extensions }: Definition,
  { from, revision }: IncomingRequest,
  wanted: UnknownObject,
): UnknownObject {
  const accepted: Record<string, unknown> = {};
  for (const [key, { filter, extension }] of extensions.filters) {
    const value = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    const { clientDeclares = true, id } = extension;
    if (value === undefined || !Object.hasOwn(extensions.in(revision) ?? {}, id)) continue;
    if (clientDeclares && !declares(from.clientCapabilities, id)) throw undeclared(id, `The filter "${key}"`);
    const problem = filter.check(value);
    if (problem !== undefined)
      throw new RpcError(ErrorCode.invalidParams, `params.notifications.${key} ${problem}`);
    accepted[key] = value;
  }
  return accepted;
}

/** What of a filter the server can keep: only what it declares. */
function honoured(definition: Definition, wanted: SubscriptionFilter): SubscriptionFilter {
  const { tools, prompts, resources } = definition.capabilities.declared;
  const { resourceSubscriptions = [] } = wanted;
  const most = definition.limits.subscriptions;
  if (resourceSubscriptions.length > most) {
    throw new RpcError(
      ErrorCode.invalidParams,
      `params.notifications.resourceSubscriptions: at most ${most} resources`,
    );
  }
  for (const [index, uri] of resourceSubscriptions.entries()) {
    requireShort(uri, `params.notifications.resourceSubscriptions[${index}]`);
  }
  return {
    ...(wanted.toolsListChanged === true && tools?.listChanged === true && { toolsListChanged: true }),
    ...(wanted.promptsListChanged === true && prompts?.listChanged === true && { promptsListChanged: true }),
    ...(wanted.resourcesListChanged === true &&
      resources?.listChanged === true && { resourcesListChanged: true }),
    ...(resourceSubscriptions.length > 0 && resources?.subscribe === true && { resourceSubscriptions }),
  };
}
