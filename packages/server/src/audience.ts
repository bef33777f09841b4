import type { NotificationMethod, Revision, UnknownObject } from '@tenon/mcp-protocol';
import { notificationFrame } from '@tenon/mcp-protocol/internal';
import { ListChanges } from './list-changes.js';
import type { EntryChange } from './registry.js';
import type { Known } from './required-scopes.js';

/** Something that changed and that peers may want to hear of. */
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

/** A peer that listens, and who it is, where the carrier knows: a session, or one listen stream. */
export interface Listener extends Known {
  readonly revision: Revision;
  wants(change: Change): boolean;
  /** True if the client has declared an extension. */
  declares(extension: string): boolean;
  /** What a listen stream asked for and was granted; absent for sessions, which receive all. */
  readonly filter?: UnknownObject;
  /** Metadata every notification to this listener carries. */
  readonly meta?: UnknownObject;
  send(frame: string): void;
}

/** Whom a change concerns: anything but true is no leave to hear of it. */
export type Concern = (listener: Known) => boolean;

/** A change to tell of, and who may hear of it. */
interface News {
  readonly change: Change;
  /** Whom it concerns; everybody if there is none. */
  readonly concerns: Concern | undefined;
  /** The entries that may have changed, where that decides who hears. */
  readonly entries: ListChanges | undefined;
}

/** Everybody who listens to one server definition. */
export class Audience {
  readonly #listeners = new Set<Listener>();
  readonly #due = new Map<string, News>();
  readonly #onError: (error: unknown, where: string) => void;
  #scheduled = false;

  /** @param onError - hears of what a listener or a visibility throws; the other listeners are told all the same. */
  constructor(onError: (error: unknown, where: string) => void) {
    this.#onError = onError;
  }

  /** @returns a function that takes the listener out again, and tells whether it was still in. */
  add(listener: Listener): () => boolean {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Tells of a change after the current turn, once however often it happens in it.
   * @param concerns - who may see what changed; everybody if there is none.
   */
  announce(change: Change, concerns?: Concern): void {
    if (this.#listeners.size === 0) return;
    this.#due.set(keyOf(change), { change, concerns, entries: undefined });
    this.#schedule();
  }

  /**
   * Notes that an entry of a list came or went: after the current turn, those hear of the change for whom the list shows
   * something else than before it.
   */
  entryChanged(change: Change, entry: EntryChange): void {
    if (this.#listeners.size === 0) return;
    const key = keyOf(change);
    let due = this.#due.get(key);
    if (due === undefined) {
      due = { change, concerns: undefined, entries: new ListChanges() };
      this.#due.set(key, due);
    }
    due.entries?.add(entry);
    this.#schedule();
  }

  /** Sends a notification of an extension at once to each client that has the extension and listens for it. */
  publish({ method, params, extension, where }: Published): void {
    for (const listener of this.#listeners) {
      const { filter, meta, revision } = listener;
      try {
        if (!revision.notifications.server.has(method)) continue;
        if (extension !== undefined && !listener.declares(extension)) continue;
        if (filter !== undefined && !matches(filter, where)) continue;
        listener.send(notificationFrame(method, meta === undefined ? params : { ...params, _meta: meta }));
      } catch (error) {
        this.#onError(error, method);
      }
    }
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
    for (const { change, entries, concerns: given = () => true } of news) {
      const concerns = entries === undefined ? given : this.#concerned(change, entries);
      if (concerns === undefined) continue;
      const frames = new Map<Revision, string>();
      for (const listener of this.#listeners) this.#tellOne(listener, { change, concerns }, frames);
    }
  }

  #concerned({ method }: Change, entries: ListChanges): Concern | undefined {
    try {
      const visible = entries.difference();
      return visible && (({ principal }) => visible(principal));
    } catch (error) {
      this.#onError(error, method);
      return () => true;
    }
  }

  #tellOne(
    listener: Listener,
    { change, concerns }: { readonly change: Change; readonly concerns: Concern },
    frames: Map<Revision, string>,
  ): void {
    try {
      if (listener.wants(change) && concerns(listener) === true)
        listener.send(frameFor(listener, change, frames));
    } catch (error) {
      this.#onError(error, change.method);
    }
  }
}

/** Which listen streams receive a notification. */
export interface PublishFilter {
  /** A member of `filters`. */
  readonly filter: string;
  /** Default: every accepted value. */
  matches?(accepted: unknown): boolean;
}

/** A notification of an extension, and who receives it. */
export interface Published {
  readonly method: string;
  readonly params: UnknownObject;
  /** The extension that clients must have declared; undefined if they need not. */
  readonly extension: string | undefined;
  readonly where: PublishFilter | undefined;
}

function matches(filter: UnknownObject, where: PublishFilter | undefined): boolean {
  // A stream without a filter of the extension did not ask for its notifications.
  if (where === undefined) return false;
  const accepted = filter[where.filter];
  return accepted !== undefined && (where.matches === undefined || where.matches(accepted));
}

function keyOf({ method, uri }: Change): string {
  return `${method} ${uri ?? ''}`;
}

/** The text for one listener; made once per revision for all that carry no metadata of their own. */
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
