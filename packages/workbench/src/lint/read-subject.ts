import type { Client, Page } from '@tenon/mcp-client';
import { Pages } from '@tenon/mcp-client/extension';
import { type CacheHints, ErrorCode, RemoteError, SessionError } from '@tenon/mcp-protocol';
import { emptyCatalog, type ListRow, listRows } from '../catalog/catalog.js';
import type { Deviation, LintSubject, ListMethod, ListReading, ListReadings } from './rules/subject.js';

/** Collects the messages of a server that break the protocol: its `onError` is an option of the client. */
export class Deviations {
  readonly #found: Deviation[] = [];

  /** The messages, in order; at most 100. */
  get found(): readonly Deviation[] {
    return this.#found;
  }

  /** Adds the message of an error that no call rejects with, if it is about such a message. */
  readonly onError = (error: unknown, method: string): void => {
    const isDeviation = error instanceof SessionError && error.reason === 'invalid-answer';
    if (isDeviation && this.#found.length < mostDeviations)
      this.#found.push({ method, message: error.message });
  };
}

const mostDeviations = 100;

/** Options of {@link readSubject}. */
interface ReadingOptions {
  readonly signal?: AbortSignal;
  /** True if the requests have credentials. */
  readonly hasCredentials?: boolean;
  /** Reads each list once only, so that nothing is known about its order and changes. Default: false. */
  readonly once?: boolean;
  /** The deviations of the client. */
  readonly deviations?: Deviations;
}

type Entry = ListReading['entries'][number];

/**
 * Reads all that rules look at from a server: each list twice, as the server sent it. Lists that cannot be read become findings.
 * @throws the errors of a connection that is lost.
 */
export async function readSubject(client: Client, options: ReadingOptions = {}): Promise<LintSubject> {
  const readings: Partial<Record<ListMethod, ListReadings>> = {};
  for (const list of listRows) {
    if (client.capabilities[list.capability] === undefined) continue;
    const first = await readList(client, list, options);
    // Many servers with resources do not implement this list.
    if (list.method === 'resources/templates/list' && first.failure !== undefined && !first.isBroken)
      continue;
    const second = options.once === true ? first : await readList(client, list, options);
    readings[list.method] = { first: first.reading, second: second.reading };
  }
  const listed = listRows.map(({ list, method }) => [list, readings[method]?.first.entries ?? []]);
  const { revision, server, capabilities, instructions } = client;
  return {
    catalog: {
      ...{ ...emptyCatalog, revision, server, capabilities, instructions },
      ...Object.fromEntries(listed),
    },
    lists: readings,
    ...(options.deviations !== undefined && { deviations: options.deviations.found }),
    hasCredentials: options.hasCredentials ?? false,
  };
}

interface Read {
  readonly reading: ListReading;
  readonly failure?: string;
  /** True for another failure than a method that is not implemented. */
  readonly isBroken: boolean;
}

async function readList(client: Client, list: ListRow, options: ReadingOptions): Promise<Read> {
  const state = { entries: [] as Entry[], pages: 0, hasEmptyPage: false };
  let head: CacheHints = {};
  const reading = (rest: Partial<ListReading> = {}): ListReading => ({
    ...state,
    ...(head.ttlMs !== undefined && { ttlMs: head.ttlMs }),
    ...(head.cacheScope !== undefined && { cacheScope: head.cacheScope }),
    repeatsCursor: false,
    ...rest,
  });
  const cursors = new Set<string>();
  try {
    for await (const page of pagesOf(client, list, options.signal).pages()) {
      if (state.pages++ === 0) head = page as CacheHints;
      for (const entry of page.items) state.entries.push(entry);
      const cursor = page.nextCursor;
      if (cursor === undefined) break;
      state.hasEmptyPage ||= page.items.length === 0;
      if (cursors.has(cursor)) return { reading: reading({ repeatsCursor: true }), isBroken: false };
      cursors.add(cursor);
    }
    return { reading: reading(), isBroken: false };
  } catch (error) {
    if (!isOfTheList(error)) throw error;
    const failure = sentence((error as Error).message);
    const isBroken = !(error instanceof RemoteError && error.code === ErrorCode.methodNotFound);
    return { reading: reading({ failure }), failure, isBroken };
  }
}

/** Returns the pages of a list, with the entries that `client.tools()` leaves out. */
function pagesOf(client: Client, { method, list }: ListRow, signal: AbortSignal | undefined): Pages<Entry> {
  const read = async (cursor: string | undefined): Promise<Page<Entry>> => {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request(method, params, {
      fresh: true,
      ...(signal !== undefined && { signal }),
    });
    const { [list]: items, ...rest } = page as object as Readonly<Record<string, unknown>>;
    return { ...rest, items: items as readonly Entry[] };
  };
  return new Pages(method, { pages: 100, listBytes: 67_108_864 }, read);
}

/** True for errors that say something about the list; others are about the connection. */
function isOfTheList(error: unknown): boolean {
  if (error instanceof RemoteError) return true;
  return (
    error instanceof SessionError && ['invalid-answer', 'limit', 'not-in-revision'].includes(error.reason)
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
