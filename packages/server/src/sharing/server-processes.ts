import { detach, follow } from '@tenon/foundation';
import {
  type EventPort,
  eventReason,
  type LogLevel,
  type LogParams,
  type Revision,
} from '@tenon/mcp-protocol';
import { stateFailureOf } from '@tenon/mcp-protocol/internal';
import { type Endpoint, Rate } from '@tenon/mcp-session';
import type { Processes } from '@tenon/mcp-state';
import type { ContextParts } from '../context/context.js';
import { deliverLog } from '../context/logging.js';
import {
  type Audience,
  type Change,
  type ChangeRelay,
  type Concern,
  everyone,
  type Listener,
  listChanged,
} from '../core/audience.js';
import type { Features } from '../core/feature.js';
import type { Resources } from '../features/resources/resources.js';
import type { SubscriptionParts } from '../features/resources/subscribed-text.js';
import { notifyElicitationComplete } from '../input/elicitation-complete.js';
import { maxUriLength } from '../uri-templates/uri-template.js';
import { PostponedChanges } from './postponed-changes.js';
import { maxElicitationId, readChange, readElicitationId, readLog } from './process-messages.js';
import type { SharedListener } from './shared-listener.js';

/** Milliseconds after which other processes are notified of a change again. */
const payAfter = 1_000;

/** The parts of a server that messages of other processes reach. */
export interface ServerProcessesParts {
  readonly audience: Audience;
  readonly context: ContextParts;
  readonly events: EventPort;
  readonly features: Pick<Features, 'started'>;
  readonly subscriptions: SubscriptionParts;
  readonly processes: Processes;
  readonly resources: Resources;
  /** The open connections of this process. */
  readonly endpoints: Iterable<Endpoint>;
}

/** Sends the changes, log messages and completed elicitations of one server to the other processes, and receives theirs. */
export class ServerProcesses implements ChangeRelay {
  readonly subscriptions: SubscriptionParts;
  readonly #parts: ServerProcessesParts;
  /** The changes that sessions of this process could not receive. */
  readonly postponed: PostponedChanges = new PostponedChanges();
  readonly #logRates = new Map<LogLevel, Rate>();
  readonly #stopWatching: () => void;
  #stopPaying = (): void => {};
  /** True if other processes may lack a change. */
  #owesChanges = false;
  #isFailing = false;
  #missedIsDue = false;
  #closed = false;

  constructor(parts: ServerProcessesParts) {
    this.#parts = parts;
    this.subscriptions = parts.subscriptions;
    const { processes, endpoints } = parts;
    processes.handle('change', (body) => {
      const change = readChange(body);
      parts.audience.receive(change, this.#concernOf(change));
    });
    processes.handle('changes-lost', () => this.#missed());
    processes.handle('log', (body) => {
      const message = readLog(body);
      if (parts.context.capabilities.declared.logging !== undefined)
        deliverLog(parts.context, endpoints, { level: message.level, redacted: () => message });
    });
    processes.handle('elicitation-complete', (body) => {
      notifyElicitationComplete(endpoints, readElicitationId(body));
    });
    processes.onGap(() => this.#missed());
    // Changes of other processes were lost until now. `Processes` reports its errors.
    follow(
      processes.joined,
      () => this.#missed(),
      () => {},
    );
    this.#stopWatching = processes.state.onStatus((status, cause) => {
      if (status === 'ready') this.#payChanges();
      if (status === 'closed') return;
      const type = status === 'ready' ? 'state-up' : 'state-down';
      parts.events.emit({ type, ...(cause !== undefined && { reason: eventReason(cause.message) }) });
    });
    parts.audience.relayTo(this);
  }

  get isServing(): boolean {
    return !this.#closed && this.#parts.features.started;
  }

  send(change: Change): void {
    // No client can have subscribed to a longer URI.
    if ((change.uri?.length ?? 0) > maxUriLength) return;
    this.#broadcast('change', change, (sent) => {
      if (sent) this.#payChanges();
      else this.#owe();
    });
  }

  /**
   * Sends a redacted log message to the sessions of the other processes. A session receives at most `logsPerSecond`
   * messages, so that more messages of one level are not sent.
   */
  log(message: LogParams): void {
    const { clock, limits } = this.#parts.context;
    const { level } = message;
    const rate = this.#logRates.get(level) ?? new Rate(clock, limits.logsPerSecond);
    this.#logRates.set(level, rate);
    if (rate.take()) this.#broadcast('log', message);
  }

  /** Notifies the session of another process that was sent this id. */
  elicitationCompleted(elicitationId: string): void {
    if (elicitationId.length <= maxElicitationId) this.#broadcast('elicitation-complete', { elicitationId });
  }

  /** Notifies a listener of everything that it listens to: changes may have been lost. */
  catchUp(listener: Listener, frames: Map<string, Map<Revision, string>> = new Map()): void {
    if (listener.postpone?.(undefined) === true) return;
    const { capabilities } = this.#parts.context;
    const notify = (change: Change) => {
      const key = change.uri ?? change.method;
      const made = frames.get(key) ?? new Map();
      frames.set(key, made);
      this.#notify(listener, change, made);
    };
    for (const list of ['tools', 'prompts', 'resources'] as const)
      if (capabilities.declared[list]?.listChanged === true) notify({ method: listChanged[list] });
    for (const uri of listener.subscriptions) notify({ method: 'notifications/resources/updated', uri });
  }

  /** Sends the changes that a session could not receive before its client opened a stream. */
  sendPostponed(listener: SharedListener): void {
    const changes = listener.takePostponed();
    if (changes === undefined) this.catchUp(listener);
    else for (const change of changes) this.#notify(listener, change, new Map());
  }

  /** Leaves the other processes. Call it after the connections have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWatching();
    this.#stopPaying();
    await this.#parts.processes.leave();
  }

  #notify(listener: Listener, change: Change, frames: Map<Revision, string>): void {
    const concerns = this.#concernOf(change) ?? everyone;
    this.#parts.audience.notify(listener, { change, concerns, frames });
  }

  #concernOf({ uri }: Change): Concern | undefined {
    return uri === undefined ? undefined : this.#parts.resources.concernOf(uri);
  }

  /** Notifies all listeners of everything, once per turn: each topic of this process reports a gap. */
  #missed(): void {
    if (this.#missedIsDue) return;
    this.#missedIsDue = true;
    queueMicrotask(() => {
      this.#missedIsDue = false;
      const frames = new Map<string, Map<Revision, string>>();
      for (const listener of this.#parts.audience.listeners) this.catchUp(listener, frames);
    });
  }

  /** Reports to the other processes that they lack a change, once the state is available again. */
  #payChanges(): void {
    this.#stopPaying();
    if (!this.#owesChanges) return;
    this.#owesChanges = false;
    this.#broadcast('changes-lost', {}, (sent) => {
      if (!sent) this.#owe();
    });
  }

  /** Notes that other processes lack a change. They learn of it when the state is available again, or soon if it still seems to be. */
  #owe(): void {
    this.#owesChanges = true;
    this.#stopPaying();
    if (this.#closed || this.#parts.processes.state.status !== 'ready') return;
    this.#stopPaying = this.#parts.context.clock.schedule(() => this.#payChanges(), payAfter);
  }

  #broadcast(kind: string, body: object, done: (sent: boolean) => void = () => {}): void {
    if (this.#closed) return;
    const sending = async () => {
      await this.#parts.processes.broadcast(kind, body);
      this.#isFailing = false;
      done(true);
    };
    detach(sending(), (error) => {
      this.#report(error, kind);
      done(false);
    });
  }

  /** Reports an interruption of the state once. */
  #report(error: unknown, kind: string): void {
    const reason = stateFailureOf(error);
    if (reason === 'closed' || (reason === 'unavailable' && this.#isFailing)) return;
    this.#isFailing = reason === 'unavailable';
    this.#parts.context.onError(error, kind);
  }
}
