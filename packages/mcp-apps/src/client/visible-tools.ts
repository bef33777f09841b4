import { detach } from '@tenon/foundation';
import {
  type CallToolResult,
  type Client,
  ErrorCode,
  RpcError,
  type Tool,
  type Watch,
} from '@tenon/mcp-client';
import type { AppServer } from '../model/app-metadata.js';
import { isVisibleTo, type ToolCaller } from '../model/tool-ui.js';

/** The tools of one server for one kind of caller. All others are unknown to it. */
export interface VisibleTools {
  /** Returns the tools that the caller may see. */
  list(options?: { readonly signal?: AbortSignal }): Promise<readonly Tool[]>;
  /**
   * Calls a tool.
   * @throws RpcError `invalidParams` if the tool is unknown to the caller; and the errors of `client.callTool`.
   */
  call(
    name: string,
    args?: { readonly [key: string]: unknown },
    options?: { readonly signal?: AbortSignal },
  ): Promise<CallToolResult>;
  /** Ends watching the server's list. */
  close(): Promise<void>;
}

/**
 * Returns the tools of a server that the model, or views of the server, may see and call. The list is read once, and again when the server
 * announces a change; for each use if it announces none.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#visibility
 */
export function toolsFor(caller: ToolCaller, client: Client): VisibleTools {
  return new ListedTools(caller, client);
}

/** Returns the server of a client for views in `openApp` of `/host`. Views can call only tools with the visibility `app`. */
export function createAppServer(client: Client): AppServer & Pick<VisibleTools, 'close'> {
  const tools = new ListedTools('app', client);
  return {
    tool: (name, options) => tools.find(name, options),
    callTool: (name, args, options) => tools.call(name, args, options),
    readResource: (uri, options) => client.readResource(uri, options),
    close: () => tools.close(),
  };
}

type Tools = ReadonlyMap<string, Tool>;

class ListedTools implements VisibleTools {
  readonly #caller: ToolCaller;
  readonly #client: Client;
  #kept: Promise<Tools> | undefined;
  #watch: Promise<Watch> | undefined;
  /** True while the server announces changes, so that the list may be kept. */
  #isWatching = false;

  constructor(caller: ToolCaller, client: Client) {
    this.#caller = caller;
    this.#client = client;
  }

  async list(options: { readonly signal?: AbortSignal } = {}): Promise<readonly Tool[]> {
    return [...(await this.#listed(options)).values()];
  }

  async find(name: string, options: { readonly signal?: AbortSignal } = {}): Promise<Tool | undefined> {
    return (await this.#listed(options)).get(name);
  }

  async call(
    name: string,
    args: { readonly [key: string]: unknown } = {},
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<CallToolResult> {
    if ((await this.find(name, options)) === undefined)
      throw new RpcError(ErrorCode.invalidParams, `Unknown tool: ${String(name).slice(0, 128)}`);
    return this.#client.callTool(name, args, options);
  }

  async close(): Promise<void> {
    this.#isWatching = false;
    const watch = await this.#watch?.catch(() => undefined);
    await watch?.close();
  }

  async #listed(options: { readonly signal?: AbortSignal }): Promise<Tools> {
    await this.#watched();
    if (!this.#isWatching) return this.#read(options);
    if (this.#kept === undefined) {
      // Not with the signal of one call: others may wait for the same list.
      const reading = this.#read({});
      this.#kept = reading;
      detach(reading, () => {
        if (this.#kept === reading) this.#kept = undefined;
      });
    }
    return this.#kept;
  }

  async #read(options: { readonly signal?: AbortSignal }): Promise<Tools> {
    const tools = await this.#client.tools({ ...options, fresh: true }).all();
    return new Map(tools.filter((tool) => isVisibleTo(this.#caller, tool)).map((tool) => [tool.name, tool]));
  }

  async #watched(): Promise<void> {
    this.#watch ??= this.#client
      .watch({ tools: true }, ({ kind }) => {
        this.#kept = undefined;
        if (kind === 'ended') this.#isWatching = false;
      })
      .then((watch) => {
        this.#isWatching = true;
        return watch;
      });
    // A server that announces no changes rejects the watch.
    await this.#watch.catch(() => undefined);
  }
}
