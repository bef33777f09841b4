import type { Prompt, Resource, ResourceTemplate, Tool } from '@tenon/mcp-client';
import type { Catalog, ListRow } from '../../catalog/catalog.js';

/** The method of a list. */
export type ListMethod = ListRow['method'];

/** One reading of a list, page by page, as the server sent it. */
export interface ListReading<Entry = Tool | Prompt | Resource | ResourceTemplate> {
  readonly entries: readonly Entry[];
  readonly pages: number;
  /** The cache hint of the first page, in milliseconds. */
  readonly ttlMs?: number;
  /** The cache hint of the first page. */
  readonly cacheScope?: 'public' | 'private';
  /** True if a cursor came a second time, which ended the reading. */
  readonly repeatsCursor: boolean;
  /** True if a page was empty and not the last one. */
  readonly hasEmptyPage: boolean;
  /** The error that ended the reading. */
  readonly failure?: string;
}

/** Two readings of the same list. */
export interface ListReadings {
  readonly first: ListReading;
  readonly second: ListReading;
}

/** The outcome of a call of a tool. */
export interface LintCall {
  readonly tool: string;
  readonly arguments: { readonly [name: string]: unknown };
  readonly result?: {
    readonly content: readonly { readonly type: string; readonly text?: string }[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
  };
  /** The protocol error that the server answered with. */
  readonly protocolError?: string;
  /** The reason that the result breaks the output schema. */
  readonly invalid?: string;
}

/** A message of the server that breaks the protocol, which the client read all the same. */
export interface Deviation {
  /** The method of the request. */
  readonly method: string;
  readonly message: string;
}

/** All that rules look at. */
export interface LintSubject {
  readonly catalog: Catalog;
  /** The lists as they were read; absent for a catalog from a file. */
  readonly lists?: Partial<Readonly<Record<ListMethod, ListReadings>>>;
  /** Messages that break the protocol. */
  readonly deviations?: readonly Deviation[];
  /** True if the server sent a log message to the client. */
  readonly hasLogged?: boolean;
  /** True if the requests had credentials, so that lists may differ between users. */
  readonly hasCredentials?: boolean;
  /** The calls that were made; absent without `--call`. */
  readonly calls?: readonly LintCall[];
}
