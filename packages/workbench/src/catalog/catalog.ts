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
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    read('tools'),
    read('resources'),
    read('resourceTemplates'),
    read('prompts'),
  ]);
  const { revision, server, capabilities, instructions } = client;
  return { revision, server, capabilities, instructions, tools, resources, resourceTemplates, prompts };
}

/**
 * Reads one list of a server, in the order of the server. A list without a capability is empty.
 * @throws the errors of the client's lists.
 */
export async function readList<L extends CatalogList>(
  client: Client,
  list: L,
  options?: CallOptions,
): Promise<Catalog[L]> {
  return (await readers[list](client, options)) as Catalog[L];
}

type Reader<L extends CatalogList> = (
  client: Client,
  options: CallOptions | undefined,
) => Promise<Catalog[L]>;

const readers: { readonly [L in CatalogList]: Reader<L> } = {
  tools: async (client, options) =>
    client.capabilities.tools === undefined ? [] : client.tools(options).all(),
  resources: async (client, options) =>
    client.capabilities.resources === undefined ? [] : client.resources(options).all(),
  resourceTemplates: async (client, options) =>
    client.capabilities.resources === undefined ? [] : templatesOf(client, options),
  prompts: async (client, options) =>
    client.capabilities.prompts === undefined ? [] : client.prompts(options).all(),
};

/** Returns the resource templates. Many servers with resources do not implement their list. */
async function templatesOf(
  client: Client,
  options: CallOptions | undefined,
): Promise<readonly ResourceTemplate[]> {
  try {
    return await client.resourceTemplates(options).all();
  } catch (error) {
    if (isMissing(error)) return [];
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
