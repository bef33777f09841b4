import { meantOption, systemClock } from '@tenon/foundation';
import type {
  CallOptions,
  Client,
  GetPromptResult,
  JsonObject,
  Progress,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ToolResult,
} from '@tenon/mcp-client';
import { AccessControl } from './access/access-control.js';
import { originOf, type PromptAccess, type ResourceAccess, type Way } from './access/access-request.js';
import { Grants } from './access/grants.js';
import { memoryGrants } from './access/memory-grants.js';
import { appServer, type HostAppServer } from './apps/app-server.js';
import { callsOf, type HostToolResult, isKnownTo, runModelCalls } from './calls/model-calls.js';
import { callTool, optionsOf } from './calls/tool-calls.js';
import type { HostTool, OfServer } from './catalogue/catalogue.js';
import { instructionsOf } from './catalogue/instructions.js';
import { ownTools } from './deferred/deferred-tools.js';
import { LongResults } from './deferred/long-results.js';
import {
  type NativeFormat,
  type NativeModelTools,
  nativeTools,
  requireNative,
} from './deferred/native-deferral.js';
import { HostError } from './host-error.js';
import { type ForUser, HostServers } from './host-servers.js';
import type { CallState } from './input/host-input.js';
import { type ModelContentOptions, requireContentOptions } from './models/formats/model-content.js';
import { type ModelFormat, requireFormat } from './models/formats/model-format.js';
import { visibleLine } from './models/formats/text/visible-text.js';
import { estimateTokens } from './models/formats/tokens.js';
import { type ModelToolsResult, modelTools } from './models/formats/tool-definitions.js';
import type { ModelTool } from './models/model-tool.js';
import { type HostOptions, requireHostOptions } from './options.js';
import { Requests } from './requests/requests.js';

/** Options of one request of a host. */
export interface HostCallOptions extends ForUser, Pick<CallOptions, 'onProgress' | 'timeout' | 'total'> {
  /** The way of the request to the program, for the policy and the audit log. Default: `direct`. */
  readonly way?: Way;
  /** The turn of the conversation, for the audit log. */
  readonly turn?: string;
  /** The id that a model gave the call, for the audit log. */
  readonly callId?: string;
}

/** The tools of a host for a model. */
export interface ToolsOptions extends ForUser {
  /** The format of the model. Default: none, the tools are data. */
  readonly for?: ModelFormat;
  /** Requests arguments that match the schema exactly, where the format can. Default: false. */
  readonly strict?: boolean;
  /** Offers tools that find, describe and call the others, in place of all tools. Default: false. */
  readonly deferred?: boolean;
}

/** The tools of a host for a model that searches deferred tools itself. */
export interface NativeToolsOptions extends Omit<ToolsOptions, 'deferred'> {
  readonly for: NativeFormat;
  /** Marks the tools of servers as deferred, and adds the search of the model. */
  readonly deferred: 'native';
}

/** Tools in the format of a model. */
export interface HostModelTools<Format extends ModelFormat> extends ModelToolsResult<Format> {
  /** An estimate of the tokens of these tools. */
  readonly tokens: number;
  /** An estimate of the tokens that all tools would cost more. 0 unless they are deferred. */
  readonly savedTokens: number;
}

/** Options of {@link Host.run}. */
export interface RunOptions
  extends ForUser,
    Pick<CallOptions, 'timeout' | 'total'>,
    Partial<Omit<ModelContentOptions, 'rest'>> {
  /** The turn of the conversation, for the audit log. */
  readonly turn?: string | number;
  /** Receives each result as soon as it is there. */
  readonly onResult?: (result: HostToolResult) => void;
  /** Receives the progress of the calls, each with the server and the tool. */
  readonly onProgress?: (progress: Progress, call: CallPlace) => void;
}

/** The place of a call that a model made. */
export interface CallPlace {
  readonly server: string;
  readonly tool: string;
  /** The id that the model gave the call. */
  readonly callId: string | undefined;
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
  readonly #grants: Grants;
  readonly #results = new LongResults();

  /** The parts that other entries of the package build on. @internal */
  get parts(): { readonly options: HostOptions; readonly requests: Requests } {
    return { options: this.#options, requests: this.#requests };
  }

  /** @internal */
  constructor(options: HostOptions) {
    this.#options = options;
    const { policy = () => 'ask', consent, grants = memoryGrants(), audit, clock = systemClock } = options;
    this.servers = new HostServers(options, (request, work, how) =>
      this.#requests.perform(request, work, how),
    );
    this.#grants = new Grants(grants);
    const access = new AccessControl({
      ...{ policy, consent, clock },
      grants: this.#grants,
      ended: this.servers.ended,
      identityOf: (server) => this.servers.identityOf(server),
      isTrusted: (server, user) => this.servers.of(user).get(server).isTrusted,
      toolsOf: (server, user) =>
        [...this.servers.of(user).get(server).lists.tools].map(([name, { digest }]) => ({ name, digest })),
    });
    const { onError = ignore } = options;
    this.#requests = new Requests({ access, audit, now: Date.now, clock, onError });
  }

  /**
   * Returns the tools of all servers in the order of their names, as data or in the format of a model. Servers with unknown tools are started. With `deferred`, a model
   * receives four tools that find, describe and call the others, and read long results: they stay the same whatever the servers offer. With `deferred: 'native'`, for `anthropic` and
   * `openai-responses`, it receives all of them and loads those that its own search finds.
   * @throws TypeError for an unknown format, and for `deferred: 'native'` in another format.
   */
  async tools(options?: ForUser): Promise<readonly HostTool[]>;
  async tools<Format extends NativeFormat>(
    options: NativeToolsOptions & { readonly for: Format },
  ): Promise<NativeModelTools<Format>>;
  async tools<Format extends ModelFormat>(
    options: ToolsOptions & { readonly for: Format },
  ): Promise<HostModelTools<Format>>;
  async tools(
    options: ToolsOptions | NativeToolsOptions = {},
  ): Promise<readonly HostTool[] | HostModelTools<ModelFormat> | NativeModelTools<NativeFormat>> {
    const { for: format, strict = false, deferred, ...user } = options;
    if (format !== undefined) requireFormat('host.tools', format);
    if (deferred === 'native') {
      requireNative(format);
      return nativeTools(await this.modelTools(user), { for: format, strict });
    }
    const catalogue = await this.servers.catalogue(options);
    if (format === undefined) return catalogue.tools;
    const { forModels: tools } = catalogue;
    const formatted = modelTools(offered(deferred === true ? undefined : tools), { for: format, strict });
    const tokens = estimateTokens(formatted.tools);
    const all = deferred ? estimateTokens(modelTools(tools, { for: format, strict }).tools) : 0;
    return { ...formatted, tokens, savedTokens: Math.max(0, all - tokens) };
  }

  /** Returns the tools to offer to a model, such as with `converse`: those of the servers, or those that find deferred ones. */
  async modelTools({ deferred = false, ...options }: ToolsOptions = {}): Promise<readonly ModelTool[]> {
    return offered(deferred ? undefined : (await this.servers.catalogue(options)).forModels);
  }

  /**
   * Runs the tool calls of a model's reply at the same time: a whole response, a message or a list of calls of any format. Whatever goes wrong with a call is text for the
   * model: unknown tools, malformed arguments, refusals, timeouts and errors.
   * @returns a result for each call, in their order; `toolResults` of `@tenon/mcp-host/models` makes messages of them. Never rejects because of a call.
   * @throws TypeError for an unknown format; TypeError or RangeError if `maxChars` is not a number of at least 1. No call was sent then.
   */
  async run(reply: unknown, options: RunOptions = {}): Promise<readonly HostToolResult[]> {
    const {
      for: format = 'anthropic',
      user,
      turn,
      signal,
      maxChars,
      images,
      audio,
      onResult,
      onProgress,
      timeout,
      total,
    } = options;
    requireContentOptions('host.run', { for: format, maxChars });
    const calls = callsOf(reply);
    // A server that starts must not keep the tools of the others waiting.
    const known = this.servers.present(user);
    const isKnown = calls.every((call) => isKnownTo(known, call));
    const own = { ...(user !== undefined && { user }), ...(signal && { signal }) };
    const catalogue = isKnown ? known : await this.servers.catalogue(own);
    return runModelCalls(calls, {
      for: format,
      ...(maxChars !== undefined && { maxChars }),
      ...(images !== undefined && { images }),
      ...(audio !== undefined && { audio }),
      ...{ user, catalogue, results: this.#results, onResult, onError: this.#options.onError ?? ignore },
      callTool: ({ server, tool }, args, { way, callId }) =>
        this.callTool({ server, tool: tool.name }, args, {
          way,
          ...own,
          ...(callId !== undefined && { callId }),
          ...(turn !== undefined && { turn: String(turn) }),
          ...(onProgress && {
            onProgress: (progress) => onProgress(progress, { server, tool: tool.name, callId }),
          }),
          ...(timeout !== undefined && { timeout }),
          ...(total !== undefined && { total }),
        }),
    });
  }

  /**
   * Returns the instructions of all known servers for the system prompt of a model, bounded, and marked as those of their server. A policy is not asked: leave them out for
   * servers that you do not trust to instruct a model.
   */
  instructions({ user }: Pick<ForUser, 'user'> = {}): string {
    return instructionsOf(this.servers.list(user));
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
  callTool(address: ToolAddress, args: JsonObject = {}, options: HostCallOptions = {}): Promise<ToolResult> {
    if (typeof address === 'string')
      return this.#find(address, options).then((found) => this.callTool(found, args, options));
    const { server, tool } = address;
    try {
      const managed = this.servers.of(options.user).get(server);
      return callTool(this.#requests, { managed, server, tool, args, origin: originOf(options), options });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Reads a resource of a server, once the policy or the user allows it. @throws as {@link callTool} does. */
  readResource(server: string, uri: string, options: HostCallOptions = {}): Promise<ReadResourceResult> {
    const request = { kind: 'resource', server, name: uri, origin: originOf(options) } as const;
    return this.#use(request, options, (client, call) => client.readResource(uri, call));
  }

  /**
   * Returns a server for the views of its apps: the option `server` of `openApp` of `@tenon/mcp-apps`. Its requests have the way `app`, and reach no other server.
   * @throws HostError `unknown-server`
   */
  appServer(server: string, options: Pick<HostCallOptions, 'user' | 'turn'> = {}): HostAppServer {
    const managed = () => this.servers.of(options.user).get(server);
    managed();
    const origin = { ...options, way: 'app' } as const;
    return appServer({
      tool: async (name, { signal }) => {
        const target = managed();
        // A server with known tools starts only for a call that is permitted.
        if (!target.isReady && !target.lists.tools.has(name)) await target.ready(signal);
        return target.lists.tools.get(name)?.tool;
      },
      callTool: (tool, args, signal) => this.callTool({ server, tool }, args, { ...origin, ...signal }),
      readResource: (uri, signal) => this.readResource(server, uri, { ...origin, ...signal }),
    });
  }

  /** Gets a prompt of a server, once the policy or the user allows it. @throws as {@link callTool} does. */
  getPrompt(
    server: string,
    name: string,
    { args = {}, ...options }: HostCallOptions & { readonly args?: Readonly<Record<string, string>> } = {},
  ): Promise<GetPromptResult> {
    const request = { kind: 'prompt', server, name, args, origin: originOf(options) } as const;
    return this.#use(request, options, (client, call) => client.getPrompt(name, args, call));
  }

  /** Returns the answer of the user that holds for a tool as it is now; undefined if the policy alone decides, or the user is asked. */
  async answerFor(
    tool: HostTool,
    { user }: Pick<ForUser, 'user'> = {},
  ): Promise<'run' | 'always' | 'never' | undefined> {
    return this.#grants.answerFor(
      { user, server: tool.server, identity: this.servers.identityOf(tool.server) },
      tool,
    );
  }

  /** Forgets the answers of the user for a server, and its tools: the next call makes its present tools known. */
  async forgetAnswers(server: string, { user }: Pick<ForUser, 'user'> = {}): Promise<void> {
    await this.#grants.forget({ user, server, identity: this.servers.identityOf(server) });
  }

  /** Closes all connections and stops all programs. Requests that run, or wait for the user, reject. Safe to call twice. */
  async close(): Promise<void> {
    await this.servers.close();
    await this.#options.audit?.close?.();
  }

  async #use<T>(
    request: ResourceAccess | PromptAccess,
    options: HostCallOptions,
    work: (client: Client, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const { user, signal } = options;
    const managed = this.servers.of(user).get(request.server);
    const state: CallState = { origin: request.origin, tool: undefined, rounds: 0 };
    const call = optionsOf(options, state);
    return this.#requests.perform(request, () => managed.use((client) => work(client, call), signal), {
      signal,
      endingOf: () => ({ rounds: state.rounds }),
    });
  }

  async #find(name: string, options: ForUser): Promise<{ readonly server: string; readonly tool: string }> {
    const known = this.servers.present(options.user).find(name);
    const found = known ?? (await this.servers.catalogue(options)).find(name);
    if (found !== undefined) return { server: found.server, tool: found.tool.name };
    const names = this.servers.present(options.user).tools.map((tool) => tool.name);
    throw new HostError(
      'unknown-tool',
      `No server has a tool ${JSON.stringify(visibleLine(name, 100))}.${meantOption(name, names.slice(0, 1_000))}`,
    );
  }
}

/** Returns the tools for a model: those given and the one that reads long results, or those that find deferred ones. */
function offered(tools: readonly ModelTool[] | undefined): readonly ModelTool[] {
  const { search, describe, call, readResult } = ownTools;
  const own = tools === undefined ? [search, describe, call, readResult] : [readResult];
  return [...(tools ?? []), ...own.map((tool) => ({ name: tool.name, server: '', tool }))];
}

function ignore(): void {}
