import {
  type CallOptions,
  type Client,
  ErrorCode,
  type Implementation,
  type Prompt,
  RemoteError,
  type Resource,
  type ResourceTemplate,
  type ServerCapabilities,
  type Tool,
} from '@tenon/mcp-client';

/** All that a server lists, as one value that can be stored and compared. */
export interface Catalog {
  readonly revision: string;
  readonly server: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
}

/** The catalog of a server about which nothing is known. */
export const emptyCatalog: Catalog = {
  ...{ revision: '', server: undefined, capabilities: {}, instructions: undefined },
  ...{ tools: [], resources: [], resourceTemplates: [], prompts: [] },
};

/** The names of the lists of a catalog. */
export type CatalogList = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/** A list of a server. */
export interface ListRow {
  readonly list: CatalogList;
  readonly method: 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';
  /** The capability that declares the list, and the notification of its changes. */
  readonly capability: 'tools' | 'prompts' | 'resources';
  /** The member that identifies an entry. */
  readonly key: 'name' | 'uri' | 'uriTemplate';
}

/** The lists of servers. */
export const listRows: readonly ListRow[] = [
  { list: 'tools', method: 'tools/list', capability: 'tools', key: 'name' },
  { list: 'prompts', method: 'prompts/list', capability: 'prompts', key: 'name' },
  { list: 'resources', method: 'resources/list', capability: 'resources', key: 'uri' },
  {
    list: 'resourceTemplates',
    method: 'resources/templates/list',
    capability: 'resources',
    key: 'uriTemplate',
  },
];

/** Returns the row of a list. */
export function listRow(list: CatalogList): ListRow {
  return listRows.find((row) => row.list === list) as ListRow;
}

/** Options of {@link readCatalog}. */
interface CatalogOptions extends CallOptions {
  /** Called with the error of a list that the server declares and does not have: it is empty. Default: the error is thrown. */
  readonly onMissing?: (error: RemoteError) => void;
}

/**
 * Reads all lists of a server, in the order of the server. Lists without a capability are empty.
 * @throws the errors of the client's lists.
 */
export async function readCatalog(client: Client, given: CatalogOptions = {}): Promise<Catalog> {
  const { onMissing, ...options } = given;
  const read = async <L extends CatalogList>(list: L): Promise<Catalog[L]> => {
    try {
      return await readList(client, list, options);
    } catch (error) {
      if (onMissing === undefined || !isMissing(error)) throw error;
      onMissing(error);
      return [] as unknown as Catalog[L];
    }
  };
  const lists = await Promise.all(listRows.map(async ({ list }) => [list, await read(list)] as const));
  const { revision, server, capabilities, instructions } = client;
  return { ...emptyCatalog, revision, server, capabilities, instructions, ...Object.fromEntries(lists) };
}

/**
 * Reads one list of a server, in the order of the server. A list without a capability is empty, and resource templates that are not
 * implemented: many servers with resources do not have their list.
 * @throws the errors of the client's lists.
 */
export async function readList<L extends CatalogList>(
  client: Client,
  list: L,
  options?: CallOptions,
): Promise<Catalog[L]> {
  const { capability } = listRow(list);
  if (client.capabilities[capability] === undefined) return [] as unknown as Catalog[L];
  try {
    return (await client[list](options).all()) as unknown as Catalog[L];
  } catch (error) {
    if (list === 'resourceTemplates' && isMissing(error)) return [] as unknown as Catalog[L];
    throw error;
  }
}

/** True for the error of a server that does not have a method. */
function isMissing(error: unknown): error is RemoteError {
  return error instanceof RemoteError && error.code === ErrorCode.methodNotFound;
}

/** Collects the entries of lists that the client leaves out, with the reasons. */
export class LeftOut {
  readonly #reasons: string[] = [];

  /** Sentences, each about one list or one tool; at most 64. */
  get reasons(): readonly string[] {
    return this.#reasons;
  }

  /** Receives the errors that no call of the client rejects with: its option `onError`. */
  readonly onError = (error: unknown): void => {
    const [sentence] =
      /(?:Left out of |The tool "(?:[^"\\]|\\.)*" is left out: ).*$/su.exec(messageOf(error)) ?? [];
    if (sentence !== undefined && this.#reasons.length < mostReasons) this.#reasons.push(sentence);
  };
}

const mostReasons = 64;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
