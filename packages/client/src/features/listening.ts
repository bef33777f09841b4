import {
  type AcknowledgedParams,
  type RequestId,
  SessionError,
  type SubscriptionFilter,
  subscriptionOf,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { defaultReconnectPolicy, delayBefore } from '../reconnect-policy.js';
import type { Session } from '../session.js';
import type { Change, Watcher, WatchFilter, WatchHost } from './watcher.js';

/** One open stream. */
interface Stream {
  readonly watcher: Watcher;
  readonly openedAt: number;
  acknowledge: (filter: SubscriptionFilter) => void;
  acknowledged: boolean;
}

const forever = Number.POSITIVE_INFINITY;

/**
 * Watches by `subscriptions/listen`: a stream for each watch, told apart by the id of its request. A stream that the
 * server ends is opened again after a while.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export class Listening {
  readonly #host: WatchHost;
  readonly #onFailed: (watcher: Watcher, error: unknown) => void;
  readonly #streams = new Map<RequestId, Stream>();
  readonly #attempts = new WeakMap<Watcher, number>();

  constructor(host: WatchHost, onFailed: (watcher: Watcher, error: unknown) => void) {
    this.#host = host;
    this.#onFailed = onFailed;
  }

  /** Opens a stream; resolves once the server has said what of the filter it honours. */
  async begin(session: Session, watcher: Watcher): Promise<void> {
    const agreed = await this.#open(session, watcher);
    watcher.honoured = agreedFilter(watcher.filter, agreed);
    if (Object.keys(watcher.honoured).length > 0) return;
    this.stop(watcher);
    throw new SessionError('capability-missing', 'The server honours nothing of what was to be watched.');
  }

  acknowledged(params: UnknownObject): void {
    const stream = this.#streams.get(subscriptionOf(params) as RequestId);
    if (stream === undefined || stream.acknowledged) return;
    stream.acknowledged = true;
    stream.acknowledge((params as unknown as AcknowledgedParams).notifications);
  }

  /** Hands a change to the stream it belongs to. One of no stream was not asked for. */
  tell(id: unknown, change: Change): void {
    const stream = this.#streams.get(id as RequestId);
    if (stream?.acknowledged) this.#host.tell(stream.watcher, change);
  }

  stop(watcher: Watcher): void {
    watcher.listen?.abort();
    watcher.listen = undefined;
  }

  lost(): void {
    for (const { watcher } of this.#streams.values()) watcher.listen = undefined;
    this.#streams.clear();
  }

  #open(session: Session, watcher: Watcher): Promise<SubscriptionFilter> {
    const controller = new AbortController();
    watcher.listen = controller;
    const { clock } = this.#host;
    return new Promise((resolve, reject) => {
      let id: RequestId | undefined;
      const expire = clock.schedule(() => {
        reject(new SessionError('timeout', 'The server did not acknowledge the subscription.'));
        controller.abort();
      }, session.endpoint.limits.requestTimeout);
      const acknowledge = (filter: SubscriptionFilter) => {
        expire();
        resolve(filter);
      };
      const stream: Stream = { watcher, openedAt: clock.now(), acknowledge, acknowledged: false };
      const onId = (given: RequestId) => {
        id = given;
        this.#streams.set(given, stream);
      };
      const ended = (error: unknown) => {
        expire();
        if (id !== undefined && this.#streams.get(id) === stream) this.#streams.delete(id);
        reject(error);
        if (stream.acknowledged) this.#ended(session, stream, controller.signal);
      };
      const options = { timeout: forever, total: forever, signal: controller.signal, onId };
      session.endpoint
        .request('subscriptions/listen', { notifications: wireFilter(watcher.filter) }, options)
        .then(() => ended(new SessionError('closed', 'The server ended the subscription.')), ended);
    });
  }

  /** A stream that was open is over, though nobody on this side wanted it. */
  #ended(session: Session, stream: Stream, signal: AbortSignal): void {
    const { watcher } = stream;
    if (signal.aborted || watcher.closed || session.endpoint.state !== 'open') return;
    const { clock, random } = this.#host;
    const policy = defaultReconnectPolicy;
    const held = clock.now() - stream.openedAt >= policy.healthy;
    const attempt = held ? 1 : (this.#attempts.get(watcher) ?? 0) + 1;
    this.#attempts.set(watcher, attempt);
    // One more than the count: a stream that was just ended is not opened again at once.
    clock.schedule(() => this.#again(session, watcher), delayBefore(attempt + 1, policy, random));
  }

  #again(session: Session, watcher: Watcher): void {
    if (watcher.closed || session.endpoint.state !== 'open') return;
    this.begin(session, watcher).then(
      () => this.#host.tell(watcher, { kind: 'gap' }),
      (error: unknown) => {
        if (session.endpoint.state === 'open') this.#onFailed(watcher, error);
      },
    );
  }
}

function wireFilter({ tools, prompts, resources, uris }: WatchFilter): SubscriptionFilter {
  return {
    ...(tools && { toolsListChanged: true }),
    ...(prompts && { promptsListChanged: true }),
    ...(resources && { resourcesListChanged: true }),
    ...(uris && uris.length > 0 && { resourceSubscriptions: uris }),
  };
}

/** What of the filter the server agreed to. */
function agreedFilter(asked: WatchFilter, agreed: SubscriptionFilter): WatchFilter {
  const uris = asked.uris?.filter((uri) => agreed.resourceSubscriptions?.includes(uri)) ?? [];
  return {
    ...(asked.tools && agreed.toolsListChanged && { tools: true }),
    ...(asked.prompts && agreed.promptsListChanged && { prompts: true }),
    ...(asked.resources && agreed.resourcesListChanged && { resources: true }),
    ...(uris.length > 0 && { uris }),
  };
}
