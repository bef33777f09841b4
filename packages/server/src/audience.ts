import {
  type NotificationMethod,
  notificationFrame,
  type Principal,
  type Revision,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { everybody, ListChanges } from './list-changes.js';
import type { EntryChange, Visibility } from './registry.js';

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

/** A peer that listens: a session, or one listen stream. */
export interface Listener {
  readonly revision: Revision;
  /** Who listens, where the carrier knows. */
  readonly principal: Principal | undefined;
  wants(change: Change): boolean;
  /** Metadata every notification to this listener carries. */
  readonly meta?: UnknownObject;
  send(frame: string): void;
}

/** A change to tell of, and who may hear of it. */
interface News {
  readonly change: Change;
  /** Who sees what changed; everybody if there is none. */
  readonly visible: Visibility | undefined;
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
   * @param visible - who may see what changed; everybody if there is none.
   */
  announce(change: Change, visible?: Visibility): void {
    if (this.#listeners.size === 0) return;
    this.#due.set(keyOf(change), { change, visible, entries: undefined });
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
      due = { change, visible: undefined, entries: new ListChanges() };
      this.#due.set(key, due);
    }
    due.entries?.add(entry);
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
    for (const { change, visible, entries } of news) {
      const concerns = entries === undefined ? (visible ?? everybody) : this.#concerned(change, entries);
      if (concerns === undefined) continue;
      const frames = new Map<Revision, string>();
      for (const listener of this.#listeners) this.#tellOne(listener, { change, concerns }, frames);
    }
  }

  #concerned({ method }: Change, entries: ListChanges): Visibility | undefined {
    try {
      return entries.difference();
    } catch (error) {
      this.#onError(error, method);
      return everybody;
    }
  }

  #tellOne(
    listener: Listener,
    { change, concerns }: { readonly change: Change; readonly concerns: Visibility },
    frames: Map<Revision, string>,
  ): void {
    try {
      if (listener.wants(change) && concerns(listener.principal) === true)
        listener.send(frameFor(listener, change, frames));
    } catch (error) {
      this.#onError(error, change.method);
    }
  }
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
