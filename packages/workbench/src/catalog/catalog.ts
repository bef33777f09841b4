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

/**
 * Reads all lists of a server, in the order of the server. Lists without a capability are empty.
 * @throws the errors of the client's lists.
 */
export async function readCatalog(client: Client, options?: CallOptions): Promise<Catalog> {
  const { capabilities } = client;
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    capabilities.tools === undefined ? [] : client.tools(options).all(),
    capabilities.resources === undefined ? [] : client.resources(options).all(),
    capabilities.resources === undefined ? [] : templatesOf(client, options),
    capabilities.prompts === undefined ? [] : client.prompts(options).all(),
  ]);
  const { revision, server, instructions } = client;
  return { revision, server, capabilities, instructions, tools, resources, resourceTemplates, prompts };
}

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
