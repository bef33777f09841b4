import { onAbort } from '@tenon/foundation';
import type {
  Change,
  Client,
  LogLevel,
  LogParams,
  StateChange,
  UnknownObject,
  WatchFilter,
} from '@tenon/mcp-client';
import { revisions } from '@tenon/mcp-protocol';
import {
  type CatalogList,
  describeTarget,
  failureOf,
  observeNotifications,
  type ReceivedNotification,
  WorkbenchError,
} from '@tenon/mcp-workbench';
import { EventPrinter, type WatchEvent } from '../../content/watch-printer.js';
import { everyList, notifiedLists, WatchedLists } from '../../content/watched-lists.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ConnectedServer, type ServerLine, withClient } from '../../server/with-client.js';

/** The options of `tenon watch`. */
interface WatchOptions extends ServerOptions {
  readonly resource?: readonly string[];
  readonly task?: readonly string[];
  readonly log?: LogLevel;
  /** In seconds. */
  readonly poll?: number;
  /** A number of events. */
  readonly until?: number;
  /** In seconds. */
  readonly for?: number;
}

type WatchLine = ServerLine<WatchOptions>;

/** Prints the events of a server until Ctrl+C, the time or the number of events that the user chose. */
export async function runWatch(line: WatchLine): Promise<void> {
  const run = new WatchRun(line);
  try {
    await withClient({ ...line, open: run.open }, (server) => run.follow(server));
  } finally {
    run.stop();
  }
}

/** Notifications that the client handles, and that are printed as changes. */
const handled: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/message',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
]);

/** Notifications that are printed as events of their own. */
const ownEvents: ReadonlyMap<string, 'progress' | 'task'> = new Map([
  ['notifications/progress', 'progress'],
  ['notifications/tasks', 'task'],
  ['notifications/tasks/status', 'task'],
]);

/** One run of the command. */
class WatchRun {
  readonly #line: WatchLine;
  readonly #printer: EventPrinter;
  /** Aborts when the run ends. */
  readonly #over = new AbortController();
  readonly #ended: Promise<void>;
  #finish: (end: { readonly error?: unknown }) => void = () => {};
  #events = 0;
  #isOpen = false;

  constructor(line: WatchLine) {
    this.#line = line;
    this.#printer = new EventPrinter(line.terminal, line.options.json === true);
    this.#ended = new Promise((resolve, reject) => {
      this.#finish = (end) => ('error' in end ? reject(end.error) : resolve());
    });
    // The server may fail before `follow` waits.
    this.#ended.catch(() => undefined);
  }

  /** The options of the connection. */
  get open(): NonNullable<ServerLine['open']> {
    const { open, options } = this.#line;
    const { log } = options;
    return {
      ...open,
      wrap: (dialer) =>
        observeNotifications(open?.wrap?.(dialer) ?? dialer, (received) => this.#received(received)),
      onStateChange: (change) => this.#stateChanged(change),
      ...(log !== undefined && { logLevel: log, onLog: (message) => this.#logged(message) }),
    };
  }

  /** Watches until the end. */
  async follow({ client, target }: ConnectedServer): Promise<void> {
    const { options, signal } = this.#line;
    const release = onAbort(signal, () => this.#finish({ error: signal.reason }));
    const timers: NodeJS.Timeout[] = [];
    try {
      const server = describeTarget(target);
      const filter = filterOf(client, options, server);
      const lists = new WatchedLists(
        client,
        {
          onDifference: (list, difference) => this.#print({ event: 'list', list, ...difference }),
          onFailure: (list, error) => this.#failedToRead(list, error),
        },
        this.#over.signal,
      );
      const watched = await this.#watch(client, filter, (change) => this.#changed(change, lists));
      await lists.start(everyList);
      this.#begin(client, { server, watched });
      if (options.poll !== undefined)
        timers.push(setInterval(() => lists.refresh(everyList, false), options.poll * 1_000));
      if (options.for !== undefined) timers.push(setTimeout(() => this.#finish({}), options.for * 1_000));
      await this.#ended;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      release();
      this.stop();
    }
  }

  /** Ends the run: nothing is printed any more. */
  stop(): void {
    this.#over.abort();
  }

  /** Starts the watch, if the server has changes to announce, and returns the names of the watched things. */
  async #watch(
    client: Client,
    filter: WatchFilter,
    listener: (change: Change) => void,
  ): Promise<readonly string[]> {
    if (Object.keys(filter).length === 0) return [];
    const { honoured } = await client.watch(filter, listener);
    const accepted = honoured.uris ?? [];
    for (const uri of filter.uris ?? [])
      if (!accepted.includes(uri)) this.#line.terminal.note(`The server does not watch ${uri}.`);
    const { filters = {} } = honoured;
    return [
      ...(['tools', 'prompts', 'resources'] as const).filter((list) => honoured[list] === true),
      ...accepted,
      ...(Object.hasOwn(filters, 'taskIds') ? ['tasks'] : []),
    ];
  }

  #begin(client: Client, { server, watched }: { server: string; watched: readonly string[] }): void {
    const { options, terminal } = this.#line;
    const { poll, log } = options;
    const all = [
      ...watched,
      ...(poll === undefined ? [] : [`all lists every ${poll} s`]),
      ...(log === undefined ? [] : [`log messages from ${log} on`]),
    ];
    const { revision } = client;
    if (log !== undefined && logsInRequestsOnly(revision))
      terminal.note(`In ${revision} servers send log messages while they handle a request only.`);
    const event: WatchEvent = { event: 'watching', server, revision, watched: all };
    if (options.json) this.#printer.print(event, new Date());
    else {
      const what = all.length === 0 ? 'notifications' : all.join(', ');
      terminal.note(`Watching ${what} of ${server} (${revision}). Press Ctrl+C to end.`);
    }
  }

  #changed(change: Change, lists: WatchedLists): void {
    switch (change.kind) {
      case 'resource':
        this.#print({ event: 'resource', uri: change.uri });
        break;
      case 'gap':
        this.#printState('again', 'changes may have been missed; the lists are read again');
        lists.refresh(everyList, false);
        break;
      case 'ended':
        this.#finish({ error: change.error ?? closed() });
        break;
      default:
        lists.refresh(notifiedLists[change.kind], true);
    }
  }

  #received({ method, params }: ReceivedNotification): void {
    if (handled.has(method)) return;
    const event = ownEvents.get(method);
    if (event === undefined) this.#print({ event: 'notification', method, params });
    else this.#print({ event, params: withoutMeta(params) });
  }

  #logged({ level, logger, data }: LogParams): void {
    this.#print({ event: 'log', level, ...(logger !== undefined && { logger }), data });
  }

  #stateChanged({ state, reason }: StateChange): void {
    if (state === 'closed') this.#finish({ error: reason ?? closed() });
    else if (state === 'reconnecting') this.#printState('lost', `${messageOf(reason)} Connecting again ...`);
    else if (state === 'open' && this.#isOpen) this.#printState('connected');
    this.#isOpen ||= state === 'open';
  }

  #failedToRead(list: CatalogList, error: unknown): void {
    this.#line.terminal.note(`The list of ${list} cannot be read: ${messageOf(error)}`);
  }

  #printState(state: string, reason?: string): void {
    if (this.#over.signal.aborted) return;
    this.#printer.print({ event: 'state', state, ...(reason !== undefined && { reason }) }, new Date());
  }

  #print(event: WatchEvent): void {
    if (this.#over.signal.aborted) return;
    this.#printer.print(event, new Date());
    this.#events++;
    if (this.#events !== this.#line.options.until) return;
    this.stop();
    this.#finish({});
  }
}

/** Returns the filter of all changes that the server can announce, and that the user wants. */
function filterOf(
  client: Client,
  { resource = [], task = [], log, poll }: WatchOptions,
  server: string,
): WatchFilter {
  const { tools, prompts, resources, logging, tasks, extensions } = client.capabilities;
  const filter: WatchFilter = {
    ...(tools?.listChanged && { tools: true }),
    ...(prompts?.listChanged && { prompts: true }),
    ...(resources?.listChanged && { resources: true }),
    ...(resource.length > 0 && { uris: [...resource] }),
    ...(task.length > 0 && { filters: { taskIds: [...task] } }),
  };
  const canLog = log !== undefined && logging !== undefined;
  const hasTasks = tasks !== undefined || extensions !== undefined;
  if (Object.keys(filter).length > 0 || poll !== undefined || canLog || hasTasks) return filter;
  throw new WorkbenchError('protocol', `${server} announces no changes: it declares no list changes.`, {
    hint: 'Let tenon read its lists at an interval: --poll 5. Log messages need --log info.',
  });
}

function logsInRequestsOnly(name: string): boolean {
  return revisions.find(({ id }) => id === name)?.rules.logging !== 'session';
}

/** Returns params without the metadata of the protocol. */
function withoutMeta({ _meta, ...params }: UnknownObject): UnknownObject {
  return params;
}

function closed(): WorkbenchError {
  return new WorkbenchError('unreachable', 'The server closed the connection.');
}

function messageOf(reason: unknown): string {
  return failureOf(reason)?.message ?? 'The connection was lost.';
}
