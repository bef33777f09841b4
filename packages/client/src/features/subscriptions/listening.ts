import { follow } from '@tenon/foundation';
import {
  type AcknowledgedParams,
  ErrorCode,
  RemoteError,
  type RequestId,
  SessionError,
  type SubscriptionFilter,
  TransportError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { subscriptionOf } from '@tenon/mcp-protocol/internal';
import { isPassing, statusOf } from '../../session/http-probe.js';
import { delayBefore } from '../../session/reconnect-policy.js';
import type { Session } from '../../session/session.js';
import type { Change, Watcher, WatchFilter, WatchHost } from './watcher.js';

/** One open stream. */
interface Stream {
  readonly watcher: Watcher;
  readonly openedAt: number;
  acknowledge: (filter: SubscriptionFilter) => void;
  acknowledged: boolean;
  /** True after a change arrived. */
  isUsed: boolean;
}

/** The attempts to open the stream of a watch again. */
interface Attempts {
  /** In a row, without a stream that carried a change or lasted: the watch ends after some. */
  inRow: number;
  /** Since the last stream that lasted: pauses grow with their number. */
  pauses: number;
}

const forever = Number.POSITIVE_INFINITY;

/**
 * Watches with `subscriptions/listen`: a stream for each watch, identified by the id of its request. A stream that ends or
 * breaks is opened again after a pause.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export class Listening {
  readonly #host: WatchHost;
  readonly #onFailed: (watcher: Watcher, error: unknown) => void;
  readonly #streams = new Map<RequestId, Stream>();
  readonly #attempts = new WeakMap<Watcher, Attempts>();
  /** Ends the pause before a stream is opened again. */
  readonly #waits = new Map<Watcher, () => void>();

  constructor(host: WatchHost, onFailed: (watcher: Watcher, error: unknown) => void) {
    this.#host = host;
    this.#onFailed = onFailed;
  }

  /** Opens a stream; resolves when the server has acknowledged its part of the filter. */
  async begin(session: Session, watcher: Watcher): Promise<void> {
    const agreed = await this.#open(session, watcher);
    watcher.honoured = agreedFilter(watcher.filter, agreed);
    if (watcher.closed) return this.stop(watcher);
    if (Object.keys(watcher.honoured).length > 0) return;
    this.stop(watcher);
    throw new SessionError('capability-missing', 'The server honours nothing of what was to be watched.');
  }

  /** Opens the stream of a watch again, and reports the gap; temporary failures are retried within the limits. */
  again(session: Session, watcher: Watcher): void {
    if (watcher.closed || session.endpoint.state !== 'open') return;
    const failed = (error: unknown) => {
      if (session.endpoint.state !== 'open' || watcher.closed) return;
      if (isPassingFailure(error)) this.#later(session, watcher, error);
      else if (isChangedServer(error)) this.#host.lose(session, error);
      else this.#onFailed(watcher, error);
    };
    follow(this.begin(session, watcher), () => this.#host.notify(watcher, { kind: 'gap' }), failed);
  }

  acknowledged(params: UnknownObject): void {
    const stream = this.#streams.get(subscriptionOf(params) as RequestId);
    if (stream === undefined || stream.acknowledged) return;
    stream.acknowledged = true;
    stream.acknowledge((params as unknown as AcknowledgedParams).notifications);
  }

  /** Passes a change to its stream. A change without a stream was not requested. */
  notify(id: unknown, change: Change): void {
    const stream = this.#streams.get(id as RequestId);
    if (!stream?.acknowledged) return;
    stream.isUsed = true;
    this.#host.notify(stream.watcher, change);
  }

  stop(watcher: Watcher): void {
    this.#waits.get(watcher)?.();
    this.#waits.delete(watcher);
    watcher.listen?.abort();
    watcher.listen = undefined;
  }

  lost(): void {
    for (const cancel of this.#waits.values()) cancel();
    this.#waits.clear();
    for (const { watcher } of this.#streams.values()) watcher.listen = undefined;
    this.#streams.clear();
  }

  #open(session: Session, watcher: Watcher): Promise<SubscriptionFilter> {
    const controller = new AbortController();
    watcher.listen = controller;
    const { clock } = this.#host;
    return new Promise((resolve, reject) => {
      let id: RequestId | undefined;
      const expire = clock.schedule(
        () => {
          reject(new SessionError('timeout', 'The server did not acknowledge the subscription.'));
          controller.abort();
        },
        session.endpoint.limits.requestTimeout,
        true,
      );
      const acknowledge = (filter: SubscriptionFilter) => {
        expire();
        resolve(filter);
      };
      const stream: Stream = {
        watcher,
        openedAt: clock.now(),
        acknowledge,
        acknowledged: false,
        isUsed: false,
      };
      const onId = (given: RequestId) => {
        id = given;
        this.#streams.set(given, stream);
      };
      const ended = (error: unknown) => {
        expire();
        if (id !== undefined && this.#streams.get(id) === stream) this.#streams.delete(id);
        reject(error);
        if (stream.acknowledged && !controller.signal.aborted) this.#ended(session, stream, error);
      };
      const options = { timeout: forever, total: forever, signal: controller.signal, onId };
      const params = { notifications: wireFilter(watcher.filter) };
      const asked = session.endpoint.request('subscriptions/listen', params, options);
      follow(asked, () => ended(new SessionError('closed', 'The server ended the subscription.')), ended);
    });
  }

  /** An open stream ended, not by this client. */
  #ended(session: Session, stream: Stream, error: unknown): void {
    const { clock, policy } = this.#host;
    const attempts = this.#attempts.get(stream.watcher);
    // A stream that is acknowledged and dies at once counts as a failed attempt.
    if (clock.now() - stream.openedAt >= policy.healthy) this.#attempts.delete(stream.watcher);
    else if (stream.isUsed && attempts !== undefined) attempts.inRow = 0;
    this.#later(session, stream.watcher, error);
  }

  /** Opens the stream again after a pause, unless the attempts are used up. */
  #later(session: Session, watcher: Watcher, error: unknown): void {
    if (watcher.closed || session.endpoint.state !== 'open') return;
    const { clock, random, policy } = this.#host;
    const attempts = this.#attempts.get(watcher) ?? { inRow: 0, pauses: 0 };
    this.#attempts.set(watcher, attempts);
    attempts.inRow++;
    attempts.pauses++;
    if (attempts.inRow > policy.attempts) {
      this.#attempts.delete(watcher);
      this.#onFailed(watcher, givenUp(policy.attempts, error));
      return;
    }
    // One more than the count: a stream that just ended is not opened again at once.
    const ms = delayBefore(attempts.pauses + 1, policy, random);
    const again = () => {
      this.#waits.delete(watcher);
      this.again(session, watcher);
    };
    this.#waits.set(watcher, clock.schedule(again, ms, true));
  }
}

/** The server supports other revisions now: the connection is negotiated again. */
function isChangedServer(error: unknown): error is RemoteError {
  return error instanceof RemoteError && error.code === ErrorCode.unsupportedProtocolVersion;
}

/** A temporary failure. */
function isPassingFailure(error: unknown): boolean {
  if (error instanceof SessionError) return error.reason === 'timeout';
  if (error instanceof RemoteError && passingCodes.has(error.code)) return true;
  const status = statusOf(error);
  if (status !== undefined && status >= 300) return isPassing(status);
  return error instanceof TransportError;
}

const passingCodes: ReadonlySet<number> = new Set([ErrorCode.overloaded, ErrorCode.shuttingDown]);

function givenUp(attempts: number, cause: unknown): SessionError {
  const why = cause instanceof Error ? ` ${cause.message}` : '';
  const message = `The subscription was lost, and ${attempts} attempts did not bring it back.${why}`;
  return new SessionError('closed', message, { cause });
}

function wireFilter({ tools, prompts, resources, uris, filters }: WatchFilter): SubscriptionFilter {
  return {
    ...filters,
    ...(tools && { toolsListChanged: true }),
    ...(prompts && { promptsListChanged: true }),
    ...(resources && { resourcesListChanged: true }),
    ...(uris && uris.length > 0 && { resourceSubscriptions: uris }),
  };
}

/** Returns the part of the filter that the server acknowledged. */
function agreedFilter(asked: WatchFilter, agreed: SubscriptionFilter): WatchFilter {
  const uris = asked.uris?.filter((uri) => agreed.resourceSubscriptions?.includes(uri)) ?? [];
  const filters = Object.keys(asked.filters ?? {}).filter((key) => Object.hasOwn(agreed, key));
  return {
    ...(asked.tools && agreed.toolsListChanged && { tools: true }),
    ...(asked.prompts && agreed.promptsListChanged && { prompts: true }),
    ...(asked.resources && agreed.resourcesListChanged && { resources: true }),
    ...(uris.length > 0 && { uris }),
    ...(filters.length > 0 && {
      filters: Object.fromEntries(filters.map((key) => [key, agreed[key as keyof SubscriptionFilter]])),
    }),
  };
}
