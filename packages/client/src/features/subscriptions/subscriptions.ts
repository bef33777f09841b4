import { follow, meantOption, optionRules, requireOptions } from '@tenon/foundation';
import { SessionError, type UnknownObject } from '@tenon/mcp-protocol';
import { subscriptionOf } from '@tenon/mcp-protocol/internal';
import { missingCapability, type Session } from '../../session/session.js';
import type { Feature } from '../feature.js';
import { Listening } from './listening.js';
import { Subscribing } from './subscribing.js';
import type { Change, ExtensionFilters, Watch, Watcher, WatchFilter, WatchHost } from './watcher.js';

/**
 * The watches of one client, in revisions with and without `subscriptions/listen`.
 * https://modelcontextprotocol.io/specification/latest/basic/patterns/subscriptions
 */
export class Subscriptions {
  readonly #host: WatchHost;
  readonly #filters: ExtensionFilters | undefined;
  readonly #limit: number;
  readonly #watchers = new Set<Watcher>();
  readonly #listening: Listening;
  readonly #subscribing: Subscribing;

  /**
   * @param limit - watches at the same time.
   * @param filters - undefined for a client without extensions.
   */
  constructor(host: WatchHost, limit: number, filters: ExtensionFilters | undefined) {
    this.#host = host;
    this.#filters = filters;
    this.#limit = limit;
    this.#listening = new Listening(host, (watcher, error) => this.#end(watcher, error));
    this.#subscribing = new Subscribing(host, this.#watchers);
  }

  /** Watching as a feature of a client: watches last over lost sessions, and end with the client. */
  feature(): Feature {
    const notify = (change: Change) => (params: UnknownObject) => this.#notify(params, change);
    return {
      name: 'watch',
      notifications: {
        'notifications/subscriptions/acknowledged': (params) => this.#listening.acknowledged(params),
        'notifications/tools/list_changed': notify({ kind: 'tools' }),
        'notifications/prompts/list_changed': notify({ kind: 'prompts' }),
        'notifications/resources/list_changed': notify({ kind: 'resources' }),
        'notifications/resources/updated': (params) =>
          this.#notify(params, { kind: 'resource', uri: String(params.uri) }),
      },
      start: (session) => this.#resume(session),
      lost: () => {
        this.#listening.lost();
        this.#subscribing.lost();
      },
      // Changes may have been missed in a session that goes on.
      missed: () => {
        for (const watcher of [...this.#watchers]) this.#host.notify(watcher, { kind: 'gap' });
      },
      stop: (reason) => {
        for (const watcher of [...this.#watchers]) this.#end(watcher, reason);
      },
    };
  }

  /** Begins to watch. Rejects when the server offers none of it, and with a TypeError for an empty filter. */
  async watch(session: Session, filter: WatchFilter, listener: (change: Change) => void): Promise<Watch> {
    requireFilter(filter, this.#filters?.names ?? []);
    if (this.#watchers.size >= this.#limit) {
      throw new SessionError('limit', `${this.#limit} watches are open already; close one first.`);
    }
    const watcher: Watcher = { filter, listener, honoured: {}, closed: false, listen: undefined };
    this.#watchers.add(watcher);
    try {
      await this.#begin(session, watcher);
    } catch (error) {
      this.#drop(watcher);
      watcher.closed = true;
      throw error;
    }
    return {
      get honoured() {
        return watcher.honoured;
      },
      close: () => this.#close(watcher),
    };
  }

  /** Begins every watch again in a new session; each listener is called with the gap. */
  #resume(session: Session): void {
    for (const watcher of [...this.#watchers]) {
      if (session.revision.rules.changes === 'listen') {
        this.#listenAgain(session, watcher);
        continue;
      }
      const failed = (error: unknown) => {
        // A watch that fails because the session was lost again begins again in the next one.
        if (session.endpoint.state === 'open') this.#end(watcher, error);
      };
      follow(this.#begin(session, watcher), () => this.#host.notify(watcher, { kind: 'gap' }), failed);
    }
  }

  #listenAgain(session: Session, watcher: Watcher): void {
    try {
      this.#requireOffered(session, watcher.filter);
      this.#listening.again(session, watcher);
    } catch (error) {
      this.#end(watcher, error);
    }
  }

  #requireOffered(session: Session, filter: WatchFilter): void {
    const { tools, prompts, resources } = session.capabilities;
    if (filter.tools && !tools) throw missingCapability('tools', 'watching tools');
    if (filter.prompts && !prompts) throw missingCapability('prompts', 'watching prompts');
    if ((filter.resources || filter.uris?.length) && !resources)
      throw missingCapability('resources', 'watching resources');
    this.#filters?.require(filter.filters ?? {}, session);
  }

  async #begin(session: Session, watcher: Watcher): Promise<void> {
    this.#requireOffered(session, watcher.filter);
    if (session.revision.rules.changes === 'listen') await this.#listening.begin(session, watcher);
    else await this.#subscribing.begin(session, watcher);
    if (watcher.closed) await this.#stop(session, watcher);
  }

  #notify(params: UnknownObject, change: Change): void {
    const id = subscriptionOf(params);
    if (this.#host.session()?.revision.rules.changes === 'listen') this.#listening.notify(id, change);
    else this.#subscribing.notify(change);
  }

  #end(watcher: Watcher, error: unknown): void {
    this.#drop(watcher);
    this.#host.notify(watcher, { kind: 'ended', error });
    watcher.closed = true;
  }

  #drop(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    watcher.honoured = {};
  }

  async #close(watcher: Watcher): Promise<void> {
    if (watcher.closed) return;
    watcher.closed = true;
    this.#watchers.delete(watcher);
    const session = this.#host.session();
    if (session !== undefined) await this.#stop(session, watcher);
    watcher.honoured = {};
  }

  async #stop(session: Session, watcher: Watcher): Promise<void> {
    if (session.revision.rules.changes === 'listen') this.#listening.stop(watcher);
    else await this.#subscribing.stop(session, watcher);
  }
}

function requireFilter(filter: WatchFilter, known: readonly string[]): void {
  const { flag, object, texts } = optionRules;
  const lists = { tools: flag, prompts: flag, resources: flag };
  requireOptions<WatchFilter>('watch', filter, { ...lists, uris: texts, filters: object });
  const { tools, prompts, resources, uris, filters = {} } = filter;
  const keys = Object.keys(filters);
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(
      `watch: no extension of this client has a filter ${JSON.stringify(unknown)}.${meantOption(unknown, known)}`,
    );
  }
  if (tools || prompts || resources || uris?.length || keys.length > 0) return;
  throw new TypeError(
    'watch: nothing is to be watched. Give tools, prompts or resources as true, a list of uris, or filters of extensions.',
  );
}
