import { readFileSync } from 'node:fs';
import type { AuthProvider } from '@tenon/mcp-client';
import { type Catalog, emptyCatalog, readCatalog } from '../catalog/catalog.js';
import { type OpenOptions, openServer } from '../connections/open-server.js';
import type { ServerTarget } from '../connections/server-target.js';
import { withFile } from '../recordings/file-lock.js';
import { catalogChanges } from './catalog-changes.js';
import type { ServerChange } from './change.js';
import {
  catalogFrom,
  type RecordedCall,
  type RecordedServer,
  readRecordedServer,
} from './recorded-catalog.js';
import { repeatCalls, resultChanges } from './result-changes.js';

/** One side of a comparison: a recording or a stored catalog, or a server. */
export type ComparedSource =
  | { readonly kind: 'file'; readonly file: string }
  | {
      readonly kind: 'server';
      readonly target: ServerTarget;
      /** Runs the function that reads the server, with the provider that signs in, and may replace its error. */
      readonly use?: <T>(read: (auth: AuthProvider | undefined) => Promise<T>) => Promise<T>;
    };

/** Options of {@link compareSources}. */
interface CompareSourcesOptions {
  /** The options of the connections to servers. */
  readonly open: OpenOptions;
  /** A recording: its calls are sent to the servers, and the results are compared. */
  readonly calls?: string;
  /** Names of members of results that are not compared. */
  readonly ignore?: readonly string[];
}

/**
 * Returns the differences of two servers: their lists, schemas and capabilities, and the results of equal calls if both sides have
 * them. The first side is the older one.
 * @throws WorkbenchError `usage` if a file cannot be used; the errors of `openServer`
 */
export async function compareSources(
  before: ComparedSource,
  after: ComparedSource,
  options: CompareSourcesOptions,
): Promise<readonly ServerChange[]> {
  const { calls, ignore } = options;
  const repeated = calls === undefined ? undefined : readRecordedServer(calls).calls;
  const [was, is] = await readBoth([before, after], repeated, options);
  if (was === undefined || is === undefined) return [];
  const isKnown = (name: string) => was.known.has(name) && is.known.has(name);
  const [first, second] = [was, is].map(({ catalog }) => withOnly(catalog, isKnown));
  if (first === undefined || second === undefined) return [];
  return [...catalogChanges(first, second), ...resultChanges(was.calls, is.calls, ignore)];
}

/** Returns a catalog without the members that one of the sides does not know. */
function withOnly(catalog: Catalog, isKnown: (name: string) => boolean): Catalog {
  return {
    ...emptyCatalog,
    ...Object.fromEntries(Object.entries(catalog).filter(([name]) => isKnown(name))),
  };
}

/** Reads both sides at the same time. The failure of one ends the other. */
async function readBoth(
  sources: readonly ComparedSource[],
  calls: readonly RecordedCall[] | undefined,
  options: CompareSourcesOptions,
): Promise<readonly RecordedServer[]> {
  const failed = new AbortController();
  const { signal } = options.open;
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const own = { ...options, open: { ...options.open, signal: either } };
  const reading = sources.map((source) => read(source, calls, own));
  try {
    return await Promise.all(reading);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(reading);
    throw error;
  }
}

async function read(
  source: ComparedSource,
  calls: readonly RecordedCall[] | undefined,
  { open }: CompareSourcesOptions,
): Promise<RecordedServer> {
  if (source.kind === 'file') return readFile(source.file);
  const { target, use = (readWith) => readWith(open.auth) } = source;
  return use((auth) => readServer(target, calls, { ...open, auth }));
}

async function readServer(
  target: ServerTarget,
  calls: readonly RecordedCall[] | undefined,
  open: OpenOptions,
): Promise<RecordedServer> {
  const client = await openServer(target, open);
  try {
    const options = open.signal === undefined ? {} : { signal: open.signal };
    const catalog: Catalog = await readCatalog(client, options);
    return {
      catalog,
      known: new Set(Object.keys(catalog)),
      calls: calls === undefined ? [] : await repeatCalls(client, calls, options),
    };
  } finally {
    await client.close();
  }
}

function readFile(file: string): RecordedServer {
  const text = withFile(file, () => readFileSync(file, 'utf8'));
  if (!/^\s*\{/.test(text)) return readRecordedServer(file);
  const value: unknown = withFile(file, () => JSON.parse(text));
  const catalog = catalogFrom(value, file);
  return { catalog, known: new Set([...Object.keys(value as object), 'instructions']), calls: [] };
}
