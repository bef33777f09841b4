import { detach } from '@tenon/foundation';
import {
  ErrorCode,
  encodeResult,
  type Implementation,
  type ListenParams,
  MetaKey,
  RpcError,
  type SubscriptionFilter,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { callerName, notificationFrame, resultFrame } from '@tenon/mcp-protocol/internal';
import { Endpoint, type IncomingRequest } from '@tenon/mcp-session';
import type { ContextParts } from '../../context/context.js';
import type { Audience, Change, Listener } from '../../core/audience.js';
import { requireScopes } from '../../core/call-port.js';
import type { ServerFeature } from '../../core/feature.js';
import { declares, requireShort, type Scoped } from './session-subscriptions.js';
import { SubscribedText, type SubscriptionParts } from './subscribed-text.js';

/** The parts of a server that listen streams use. */
export interface ListenParts {
  readonly info: Implementation;
  readonly audience: Audience;
  readonly context: Pick<ContextParts, 'capabilities' | 'extensions'>;
  readonly subscriptions: SubscriptionParts;
}

/** Ends one listen stream: with its response, or without a message. */
type End = (graceful: boolean) => void;

/** The listen streams of one server. */
export class ListenStreams {
  readonly #parts: ListenParts;
  readonly #resources: Scoped;
  readonly #open = new Set<End>();
  /** The streams of each known caller. */
  readonly #held = new Map<string, number>();
  /** Streams that extensions have not accepted yet. */
  #waiting = 0;
  /** The number of times that all streams were ended. */
  #endings = 0;

  constructor(parts: ListenParts, resources: Scoped) {
    this.#parts = parts;
    this.#resources = resources;
  }

  /** Opens listen streams, and ends them when the server closes. */
  get feature(): ServerFeature {
    return {
      name: 'subscriptions',
      methods: { 'subscriptions/listen': { handle: (request) => this.#listen(request) } },
      closing: () => {
        this.#endings++;
        for (const end of this.#open) end(true);
      },
    };
  }

  #listen(request: IncomingRequest): Promise<UnknownObject> {
    // Middleware may have been slow.
    if (request.cancelled) throw request.signal.reason;
    const { subscriptions, context } = this.#parts;
    const { listenStreams } = subscriptions.limits;
    if (this.#open.size + this.#waiting >= listenStreams) {
      const message = `This server holds ${listenStreams} listen streams already; try again later.`;
      throw new RpcError(ErrorCode.overloaded, message);
    }
    const giveBack = this.#count(request);
    try {
      const wanted = (request.params as unknown as ListenParams).notifications;
      const added = context.extensions?.listenFilters(request, wanted as UnknownObject) ?? {};
      return added instanceof Promise
        ? this.#openLate(request, added, giveBack)
        : this.#openStream(request, added, giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /**
   * Counts a listen stream for its caller: the principal, else its address; without either it is not counted.
   * @returns a function that stops counting it.
   * @throws RpcError overloaded if the caller has the maximum number of streams.
   */
  #count({ exchange }: IncomingRequest): () => void {
    const { principal, remoteAddress } = exchange.facts;
    const caller = callerName(principal, remoteAddress);
    if (caller === undefined) return () => {};
    const mine = this.#held.get(caller) ?? 0;
    if (mine >= this.#parts.subscriptions.limits.listenStreamsPerPrincipal)
      throw new RpcError(ErrorCode.overloaded, `You hold ${mine} listen streams already; end one first.`);
    this.#held.set(caller, mine + 1);
    return () => {
      const rest = (this.#held.get(caller) ?? 0) - 1;
      if (rest > 0) this.#held.set(caller, rest);
      else this.#held.delete(caller);
    };
  }

  /** Opens a stream when extensions have accepted their members of its filter. */
  async #openLate(
    request: IncomingRequest,
    accepting: Promise<UnknownObject>,
    giveBack: () => void,
  ): Promise<UnknownObject> {
    const endings = this.#endings;
    this.#waiting++;
    try {
      const added = await accepting;
      if (request.cancelled) throw request.signal.reason;
      if (this.#endings === endings) return this.#openStream(request, added, giveBack);
    } catch (error) {
      giveBack();
      throw error;
    } finally {
      this.#waiting--;
    }
    giveBack();
    return { _meta: { [MetaKey.subscriptionId]: request.id } };
  }

  /** @param added - the accepted members of extensions. */
  #openStream(request: IncomingRequest, added: UnknownObject, giveBack: () => void): Promise<UnknownObject> {
    const { audience, subscriptions, info } = this.#parts;
    const wanted = (request.params as unknown as ListenParams).notifications;
    const filter = { ...this.#honoured(wanted), ...added };
    const { resourceSubscriptions: uris = [] } = filter;
    requireScopes(
      request,
      uris.flatMap((uri) => this.#resources.scopesOf(uri, request.principal)),
    );
    const text = new SubscribedText(subscriptions);
    try {
      for (const uri of uris) text.hold(uri.length);
      for (const value of Object.values(added)) text.hold(JSON.stringify(value).length);
    } catch (error) {
      text.release();
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
        this.#open.delete(end);
        giveBack();
        text.release();
        forget?.();
        if (graceful && endpoint instanceof Endpoint && request.exchange === endpoint.connection)
          sayGoodbye(info, request, meta);
        resolve({ _meta: meta });
      };
      this.#open.add(end);
      request.signal.addEventListener('abort', () => end(false), { once: true });
    });
  }

  /** Returns the members of a filter that the server declares. */
  #honoured(wanted: SubscriptionFilter): SubscriptionFilter {
    const { tools, prompts, resources } = this.#parts.context.capabilities.declared;
    const { resourceSubscriptions = [] } = wanted;
    const most = this.#parts.subscriptions.limits.subscriptions;
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
      ...(wanted.promptsListChanged === true &&
        prompts?.listChanged === true && { promptsListChanged: true }),
      ...(wanted.resourcesListChanged === true &&
        resources?.listChanged === true && { resourcesListChanged: true }),
      ...(resourceSubscriptions.length > 0 && resources?.subscribe === true && { resourceSubscriptions }),
    };
  }
}

/**
 * Ends a stream that shares its channel with others: sends the response, then the cancellation that tells the reader of the
 * channel that the stream is complete. Both are written here so that their order is certain.
 */
function sayGoodbye(info: Implementation, request: IncomingRequest, meta: UnknownObject): void {
  const row = request.revision.requests.client.get(request.method);
  if (row === undefined) return;
  const result = request.revision.codec.resultText(encodeResult(row, { _meta: meta }), info);
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
    subscriptions: uris,
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
