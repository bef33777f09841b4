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

/** The names of the lists of a catalog. */
export type CatalogList = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/**
 * Reads all lists of a server, in the order of the server. Lists without a capability are empty.
 * @throws the errors of the client's lists.
 */
export async function readCatalog(client: Client, options?: CallOptions): Promise<Catalog> {
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    readList(client, 'tools', options),
    readList(client, 'resources', options),
    readList(client, 'resourceTemplates', options),
    readList(client, 'prompts', options),
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
    if (error instanceof RemoteError && error.code === ErrorCode.methodNotFound) return [];
    throw error;
  }
}
