import {
  ErrorCode,
  encodeResult,
  type ListenParams,
  MetaKey,
  RpcError,
  type SubscriptionFilter,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { detach, notificationFrame, resultFrame } from '@tenon/mcp-protocol/internal';
import { Endpoint, type IncomingRequest } from '@tenon/mcp-session';
import type { Definition } from '../../context/definition.js';
import type { Change, Listener } from '../../core/audience.js';
import { requireScopes } from '../../core/call-port.js';
import type { ServerFeature } from '../../core/feature.js';
import { declares, requireShort, type Scoped } from './session-subscriptions.js';
import { takeShare } from './stream-shares.js';
import { SubscribedText } from './subscribed-text.js';

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

/** Ends one listen stream: with its response, or without a message. */
type End = (graceful: boolean) => void;

/** The listen streams of one server. */
interface Streams {
  readonly open: Set<End>;
  /** Streams that extensions have not accepted yet. */
  waiting: number;
  /** The number of times that all streams were ended. */
  endings: number;
}

const streamsByServer = new WeakMap<Definition, Streams>();

function streamsOf(definition: Definition): Streams {
  let streams = streamsByServer.get(definition);
  if (streams === undefined) {
    streams = { open: new Set(), waiting: 0, endings: 0 };
    streamsByServer.set(definition, streams);
  }
  return streams;
}

/** Ends every listen stream with its response. */
function endStreams(definition: Definition): void {
  const streams = streamsOf(definition);
  streams.endings++;
  for (const end of streams.open) end(true);
}

function listen(definition: Definition, request: IncomingRequest, resources: Scoped): Promise<UnknownObject> {
  // Middleware may have been slow.
  if (request.cancelled) throw request.signal.reason;
  const { listenStreams } = definition.limits;
  const streams = streamsOf(definition);
  if (streams.open.size + streams.waiting >= listenStreams) {
    const message = `This server holds ${listenStreams} listen streams already; try again later.`;
    throw new RpcError(ErrorCode.overloaded, message);
  }
  const giveBack = takeShare(definition, request);
  const opened = { definition, request, resources, streams, giveBack };
  try {
    const wanted = (request.params as unknown as ListenParams).notifications;
    const added = definition.extensions?.listenFilters(request, wanted as UnknownObject) ?? {};
    return added instanceof Promise ? openLate(opened, added) : openStream(opened, added);
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** A listen stream before it is open. */
interface OpenedStream {
  readonly definition: Definition;
  readonly request: IncomingRequest;
  readonly resources: Scoped;
  readonly streams: Streams;
  /** Stops counting it for its caller. */
  readonly giveBack: () => void;
}

/** Opens a stream when extensions have accepted their members of its filter. */
async function openLate(opened: OpenedStream, accepting: Promise<UnknownObject>): Promise<UnknownObject> {
  const { request, streams, giveBack } = opened;
  const { endings } = streams;
  streams.waiting++;
  try {
    const added = await accepting;
    if (request.cancelled) throw request.signal.reason;
    if (streams.endings === endings) return openStream(opened, added);
  } catch (error) {
    giveBack();
    throw error;
  } finally {
    streams.waiting--;
  }
  giveBack();
  return { _meta: { [MetaKey.subscriptionId]: request.id } };
}

/** @param added - the accepted members of extensions. */
function openStream(
  { definition, request, resources, streams: { open }, giveBack }: OpenedStream,
  added: UnknownObject,
): Promise<UnknownObject> {
  const { audience } = definition;
  const wanted = (request.params as unknown as ListenParams).notifications;
  const filter = { ...honoured(definition, wanted), ...added };
  const { resourceSubscriptions: uris = [] } = filter;
  requireScopes(
    request,
    uris.flatMap((uri) => resources.scopesOf(uri, request.principal)),
  );
  const text = new SubscribedText(definition);
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
 * Ends a stream that shares its channel with others: sends the response, then the cancellation that tells the reader of the
 * channel that the stream is complete. Both are written here so that their order is certain.
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

/** Returns the members of a filter that the server declares. */
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
