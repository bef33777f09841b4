import { meantOption, systemClock } from '@tenon/foundation';
import type {
  CallOptions,
  GetPromptResult,
  JsonObject,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ToolResult,
} from '@tenon/mcp-client';
import { AccessControl } from './access/access-control.js';
import type { AccessRequest, Origin, Way } from './access/access-request.js';
import { Grants } from './access/grants.js';
import { memoryGrants } from './access/memory-grants.js';
import { callTool } from './calls/tool-calls.js';
import type { HostTool, OfServer } from './catalogue/catalogue.js';
import { HostError } from './host-error.js';
import { type ForUser, HostServers } from './host-servers.js';
import { type HostOptions, requireHostOptions } from './options.js';
import { Requests } from './requests/requests.js';
import type { ManagedServer } from './servers/managed-server.js';

/** Options of one request of a host. */
export interface HostCallOptions extends ForUser, Pick<CallOptions, 'onProgress' | 'timeout' | 'total'> {
  /** How the request came to the program; for the policy and the audit log. Default: `direct`. */
  readonly way?: Way;
  /** The turn of the conversation, for the audit log. */
  readonly turn?: string;
  /** The id that a model gave the call, for the audit log. */
  readonly callId?: string;
}

/** The address of a tool: its name for models, or its server and its name there. */
export type ToolAddress = string | { readonly server: string; readonly tool: string };

/**
 * Creates a host: many servers behind one catalogue, one policy, one consent and one audit log. Servers are started by the first request that needs them.
 * https://modelcontextprotocol.io/specification/2026-07-28/architecture
 * @throws TypeError if an option is unknown or wrong.
 */
export function createHost(options: HostOptions): Host {
  requireHostOptions(options);
  return new Host(options);
}

/** Connects a program, or its models, to many servers. Created by `createHost`. */
export class Host {
  /** The servers of the host. */
  readonly servers: HostServers;
  readonly #options: HostOptions;
  readonly #requests: Requests;

  /** @internal */
  constructor(options: HostOptions) {
    this.#options = options;
    const { policy = () => 'ask', consent, grants = memoryGrants(), audit, clock = systemClock } = options;
    this.servers = new HostServers(options, (request, work, signal) =>
      this.#requests.perform(request, async () => ({ value: await work() }), signal),
    );
    const access = new AccessControl({
      ...{ policy, consent, clock },
      grants: new Grants(grants),
      isTrusted: (server, user) => this.servers.of(user).get(server).isTrusted,
      toolsOf: (server, user) =>
        [...this.servers.of(user).get(server).lists.tools].map(([name, { digest }]) => ({ name, digest })),
    });
    const { onError = ignore } = options;
    this.#requests = new Requests({ access, audit, now: Date.now, onError });
  }

  /** Returns the tools of all servers in the order of their names. Servers whose tools are not known yet are started. */
  async tools(options: ForUser = {}): Promise<readonly HostTool[]> {
    return (await this.servers.catalogue(options)).tools;
  }

  /** Returns the prompts of all servers; see {@link tools}. */
  async prompts(options: ForUser = {}): Promise<readonly OfServer<Prompt>[]> {
    return (await this.servers.catalogue(options)).prompts;
  }

  /** Returns the resources of all servers; see {@link tools}. */
  async resources(options: ForUser = {}): Promise<readonly OfServer<Resource>[]> {
    return (await this.servers.catalogue(options)).resources;
  }

  /** Returns the resource templates of all servers; see {@link tools}. */
  async resourceTemplates(options: ForUser = {}): Promise<readonly OfServer<ResourceTemplate>[]> {
    return (await this.servers.catalogue(options)).templates;
  }

  /**
   * Calls a tool, once the policy or the user allows it.
   * @returns the result; a failure that the tool reports is a result with `isError`.
   * @throws HostError; RemoteError if the server answers with an error; SessionError.
   */
  async callTool(
    address: ToolAddress,
    args: JsonObject = {},
    options: HostCallOptions = {},
  ): Promise<ToolResult> {
    const { user, signal, onProgress, timeout, total } = options;
    const { server, tool } = typeof address === 'string' ? await this.#find(address, options) : address;
    return callTool(this.#requests, {
      ...{ server, tool, args, signal },
      managed: this.servers.of(user).get(server),
      origin: originOf(options),
      options: {
        ...(onProgress && { onProgress }),
        ...(timeout !== undefined && { timeout }),
        ...(total !== undefined && { total }),
      },
    });
  }

  /** Reads a resource of a server, once the policy or the user allows it. @throws as {@link callTool} does. */
  readResource(server: string, uri: string, options: HostCallOptions = {}): Promise<ReadResourceResult> {
    const request = { kind: 'resource', server, name: uri, origin: originOf(options) } as const;
    return this.#use(request, options, (managed, call) =>
      managed.use((client) => client.readResource(uri, call), call.signal),
    );
  }

  /** Gets a prompt of a server, once the policy or the user allows it. @throws as {@link callTool} does. */
  getPrompt(
    server: string,
    name: string,
    { args = {}, ...options }: HostCallOptions & { readonly args?: Readonly<Record<string, string>> } = {},
  ): Promise<GetPromptResult> {
    const request = { kind: 'prompt', server, name, args, origin: originOf(options) } as const;
    return this.#use(request, options, (managed, call) =>
      managed.use((client) => client.getPrompt(name, args, call), call.signal),
    );
  }

  /** Closes all connections and stops all programs. Requests that run reject. Safe to call twice. */
  async close(): Promise<void> {
    await this.servers.close();
    await this.#options.audit?.close?.();
  }

  #use<T>(
    request: AccessRequest,
    { user, signal }: ForUser,
    work: (managed: ManagedServer, options: { readonly signal?: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const managed = this.servers.of(user).get(request.server);
    return this.#requests.perform(
      request,
      async () => ({ value: await work(managed, signal ? { signal } : {}) }),
      signal,
    );
  }

  async #find(name: string, options: ForUser): Promise<{ readonly server: string; readonly tool: string }> {
    const known = this.servers.present(options.user).find(name);
    const found = known ?? (await this.servers.catalogue(options)).find(name);
    if (found !== undefined) return { server: found.server, tool: found.tool.name };
    const names = this.servers.present(options.user).tools.map((tool) => tool.name);
    throw new HostError(
      'unknown-tool',
      `No server has a tool ${JSON.stringify(name.slice(0, 100))}.${meantOption(name, names.slice(0, 1_000))}`,
    );
  }
}

function originOf({ way = 'direct', user, turn, callId }: HostCallOptions): Origin {
  return {
    way,
    ...(user !== undefined && { user }),
    ...(turn !== undefined && { turn }),
    ...(callId !== undefined && { callId }),
  };
}

function ignore(): void {}
