import type { NotificationMethod, Revision, UnknownObject } from '@tenon/mcp-protocol';
import { notificationFrame } from '@tenon/mcp-protocol/internal';
import type { Endpoint } from '@tenon/mcp-session';
import type { Known } from './call-port.js';
import { ListChanges } from './list-changes.js';
import type { EntryChange } from './registry.js';

/** A change that peers may be notified of. */
export interface Change {
  readonly method: Extract<
    NotificationMethod,
    | 'notifications/tools/list_changed'
    | 'notifications/prompts/list_changed'
    | 'notifications/resources/list_changed'
    | 'notifications/resources/updated'
  >;
  /** The resource, for an update. */
  readonly uri?: string;
}

/** The list-changed notification of each type of entry. */
export const listChanged: Readonly<Record<'tools' | 'prompts' | 'resources', Change['method']>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
};

/** A listening peer, and its principal if the transport knows it: a session, or one listen stream. */
export interface Listener extends Known {
  readonly revision: Revision;
  wants(change: Change): boolean;
  /** True if the client has declared an extension. */
  declares(extension: string): boolean;
  /** The session; absent for a listen stream. */
  readonly endpoint?: Endpoint;
  /** The URIs of the resources that it has subscribed to. */
  readonly subscriptions: Iterable<string>;
  /** The accepted filter of a listen stream; absent for sessions, which receive all changes. */
  readonly filter?: UnknownObject;
  /** The metadata of every notification to this listener. */
  readonly meta?: UnknownObject;
  send(frame: string): void;
  /**
   * Postpones a change that the client cannot receive now; undefined: everything. Returns false if the change can be sent.
   * Absent: all changes can be sent.
   */
  postpone?(change: Change | undefined): boolean;
}

/** Returns true for listeners that may receive a change; any other value rejects them. */
export type Concern = (listener: Known) => boolean;

/** Sends changes to the other processes that share the server's state. */
export interface ChangeRelay {
  /** False until the first connection or request: no client has seen a list of this process. */
  readonly isServing: boolean;
  /** Must not throw. */
  send(change: Change): void;
}

/** A change, and the listeners that may receive it. */
interface News {
  readonly change: Change;
  /** The condition on listeners. Default: all receive it. */
  readonly concerns: Concern | undefined;
  /** The entries that may have changed, if the listeners depend on them. */
  readonly entries: ListChanges | undefined;
  /** False if only another process has announced it. */
  isOwn: boolean;
}

/** A change to send to listeners. */
export interface Announcement {
  readonly change: Change;
  readonly concerns: Concern;
  /** The texts made so far, by revision. */
  readonly frames: Map<Revision, string>;
}

/** The condition that all listeners fulfil. */
export const everyone: Concern = () => true;

/** All listeners of one server definition. */
export class Audience {
  readonly #listeners = new Set<Listener>();
  readonly #due = new Map<string, News>();
  readonly #onError: (error: unknown, where: string) => void;
  #relay: ChangeRelay | undefined;
  #scheduled = false;

  /** @param onError - receives errors of a listener or a visibility; the other listeners are notified nevertheless. */
  constructor(onError: (error: unknown, where: string) => void) {
    this.#onError = onError;
  }

  get listeners(): ReadonlySet<Listener> {
    return this.#listeners;
  }

  /** Sends every change that is announced here to the other processes too. */
  relayTo(relay: ChangeRelay): void {
    this.#relay = relay;
  }

  /** @returns a function that removes the listener, and returns true if it was present. */
  add(listener: Listener): () => boolean {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Notifies of a change after the current turn, once per turn.
   * @param concerns - the condition on listeners. Default: all are notified.
   */
  announce(change: Change, concerns?: Concern): void {
    if (this.#listeners.size === 0 && this.#relay === undefined) return;
    this.#due.set(keyOf(change), { change, concerns, entries: undefined, isOwn: true });
    this.#schedule();
  }

  /** Notifies the listeners of this process, after the current turn, of a change that another process has announced. */
  receive(change: Change, concerns?: Concern): void {
    if (this.#listeners.size === 0) return;
    const key = keyOf(change);
    const isOwn = this.#due.get(key)?.isOwn === true;
    this.#due.set(key, { change, concerns, entries: undefined, isOwn });
    this.#schedule();
  }

  /**
   * Notes that an entry of a list was added or removed: after the current turn, those listeners are notified that see a list
   * different from before.
   */
  entryChanged(change: Change, entry: EntryChange): void {
    if (this.#listeners.size === 0 && this.#relay?.isServing !== true) return;
    const key = keyOf(change);
    let due = this.#due.get(key);
    if (due === undefined) {
      due = { change, concerns: undefined, entries: new ListChanges(), isOwn: true };
      this.#due.set(key, due);
    }
    due.entries?.add(entry);
    due.isOwn = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#tell());
  }

  #tell(): void {
    const news = [...this.#due.values()];
    this.#due.clear();
    this.#scheduled = false;
    for (const { change, entries, isOwn, concerns: given = everyone } of news) {
      const concerns = entries === undefined ? given : this.#concerned(change, entries);
      if (concerns === undefined) continue;
      if (isOwn) this.#relay?.send(change);
      const frames = new Map<Revision, string>();
      for (const listener of this.#listeners) this.notify(listener, { change, concerns, frames });
    }
  }

  #concerned({ method }: Change, entries: ListChanges): Concern | undefined {
    try {
      const visible = entries.difference();
      return visible && (({ principal }) => visible(principal));
    } catch (error) {
      this.#onError(error, method);
      return everyone;
    }
  }

  /** Notifies one listener, if it wants the change and may receive it. */
  notify(listener: Listener, { change, concerns, frames }: Announcement): void {
    try {
      if (!listener.wants(change) || concerns(listener) !== true) return;
      if (listener.postpone?.(change) !== true) listener.send(frameFor(listener, change, frames));
    } catch (error) {
      this.#onError(error, change.method);
    }
  }
}

function keyOf({ method, uri }: Change): string {
  return `${method} ${uri ?? ''}`;
}

/** Returns the text for one listener; made once per revision for all listeners without metadata of their own. */
function frameFor(listener: Listener, change: Change, frames: Map<Revision, string>): string {
  const params = change.uri === undefined ? undefined : { uri: change.uri };
  if (listener.meta !== undefined)
    return notificationFrame(change.method, { ...params, _meta: listener.meta });
  let frame = frames.get(listener.revision);
  if (frame === undefined) {
    frame = notificationFrame(change.method, params);
    frames.set(listener.revision, frame);
  }
  return frame;
}
