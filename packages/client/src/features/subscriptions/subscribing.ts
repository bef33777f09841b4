import { isPartOf } from '../../cache/caching.js';
import { missingCapability, requireCapability, type Session } from '../../session/session.js';
import type { Change, Watcher, WatchFilter, WatchHost } from './watcher.js';

/**
 * Watches by `resources/subscribe` and the notifications that every client receives.
 * https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export class Subscribing {
  readonly #host: WatchHost;
  readonly #watchers: ReadonlySet<Watcher>;
  /** Watches by URI: the first subscribes, the last unsubscribes. */
  #uris = new Map<string, Subscribed>();

  constructor(host: WatchHost, watchers: ReadonlySet<Watcher>) {
    this.#host = host;
    this.#watchers = watchers;
  }

  async begin(session: Session, watcher: Watcher): Promise<void> {
    requireListChanged(session, watcher.filter);
    const uris = new Set(watcher.filter.uris);
    if (uris.size > 0) requireCapability(session, 'resources/subscribe');
    try {
      await Promise.all([...uris].map((uri) => this.#subscribe(session, uri, watcher)));
    } catch (error) {
      await this.stop(session, watcher).catch(() => undefined);
      throw error;
    }
    const { filters: _, ...honoured } = watcher.filter;
    watcher.honoured = honoured;
  }

  notify(change: Change): void {
    for (const watcher of [...this.#watchers]) {
      if (wants(watcher.honoured, change)) this.#host.notify(watcher, change);
    }
  }

  async stop(session: Session, watcher: Watcher): Promise<void> {
    const left: string[] = [];
    for (const [uri, subscribed] of this.#uris) {
      if (!subscribed.watchers.delete(watcher) || subscribed.watchers.size > 0) continue;
      this.#uris.delete(uri);
      left.push(uri);
    }
    await Promise.all(left.map((uri) => session.endpoint.request('resources/unsubscribe', { uri })));
  }

  lost(): void {
    this.#uris = new Map();
    for (const watcher of this.#watchers) watcher.honoured = {};
  }

  #subscribe(session: Session, uri: string, watcher: Watcher): Promise<unknown> {
    let subscribed = this.#uris.get(uri);
    if (subscribed === undefined) {
      subscribed = { watchers: new Set(), done: session.endpoint.request('resources/subscribe', { uri }) };
      this.#uris.set(uri, subscribed);
    }
    subscribed.watchers.add(watcher);
    return subscribed.done;
  }
}

interface Subscribed {
  readonly watchers: Set<Watcher>;
  readonly done: Promise<unknown>;
}

function wants(filter: WatchFilter, change: Change): boolean {
  switch (change.kind) {
    case 'tools':
    case 'prompts':
    case 'resources':
      return filter[change.kind] === true;
    case 'resource':
      return filter.uris?.some((uri) => isPartOf(change.uri, uri)) === true;
    default:
      return true;
  }
}

function requireListChanged({ capabilities }: Session, filter: WatchFilter): void {
  for (const list of ['tools', 'prompts', 'resources'] as const) {
    if (filter[list] && capabilities[list]?.listChanged !== true) {
      throw missingCapability(`${list}.listChanged`, `watching ${list}`);
    }
  }
}
