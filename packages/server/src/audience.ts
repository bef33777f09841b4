import {
  type NotificationMethod,
  notificationFrame,
  type Revision,
  type UnknownObject,
} from '@tenon/mcp-protocol';

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
  wants(change: Change): boolean;
  /** Metadata every notification to this listener carries. */
  readonly meta?: UnknownObject;
  send(frame: string): void;
}

/** Everybody who listens to one server definition. */
export class Audience {
  readonly #listeners = new Set<Listener>();
  readonly #due = new Map<string, Change>();
  #scheduled = false;

  get size(): number {
    return this.#listeners.size;
  }

  /** @returns a function that takes the listener out again, and tells whether it was still in. */
  add(listener: Listener): () => boolean {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells of a change after the current turn, once however often it happens in it. */
  announce(change: Change): void {
    if (this.#listeners.size === 0) return;
    this.#due.set(`${change.method} ${change.uri ?? ''}`, change);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#tell());
  }

  #tell(): void {
    const changes = [...this.#due.values()];
    this.#due.clear();
    this.#scheduled = false;
    for (const change of changes) {
      const frames = new Map<Revision, string>();
      for (const listener of this.#listeners) {
        if (listener.wants(change)) listener.send(frameFor(listener, change, frames));
      }
    }
  }
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
