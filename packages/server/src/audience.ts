import {
  type NotificationMethod,
  notificationFrame,
  type Principal,
  type Revision,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { Visibility } from './registry.js';

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

/** A change to tell of, and who may hear of it: whoever sees one of the things that changed. */
interface News {
  readonly change: Change;
  visible: Set<Visibility> | undefined;
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
    const key = `${change.method} ${change.uri ?? ''}`;
    const due = this.#due.get(key);
    if (due === undefined) this.#due.set(key, { change, visible: visible && new Set([visible]) });
    else if (visible === undefined) due.visible = undefined;
    // Whatever is told of one URI is for the same people.
    else if (change.uri === undefined) due.visible?.add(visible);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#tell());
  }

  #tell(): void {
    const news = [...this.#due.values()];
    this.#due.clear();
    this.#scheduled = false;
    for (const one of news) {
      const frames = new Map<Revision, string>();
      for (const listener of this.#listeners) this.#tellOne(listener, one, frames);
    }
  }

  #tellOne(listener: Listener, { change, visible }: News, frames: Map<Revision, string>): void {
    try {
      if (listener.wants(change) && mayHear(listener, visible))
        listener.send(frameFor(listener, change, frames));
    } catch (error) {
      this.#onError(error, change.method);
    }
  }
}

function mayHear({ principal }: Listener, visible: ReadonlySet<Visibility> | undefined): boolean {
  if (visible === undefined) return true;
  for (const sees of visible) if (sees(principal)) return true;
  return false;
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
