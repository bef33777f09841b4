import type { JsonObject, ReadResourceResult, Tool, ToolResult } from '@tenon/mcp-client';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { isVisibleTo } from '../access/visibility.js';
import { HostError } from '../host-error.js';
import { visibleLine } from '../models/formats/text/visible-text.js';

type Signal = { readonly signal?: AbortSignal };

/** One server of a host for the views of its apps: the option `server` of `openApp`, and the first argument of `readApp`. */
export interface HostAppServer {
  /** Returns the definition of a tool; undefined if views may not call it. */
  tool(name: string, options?: Signal): Promise<Tool | undefined>;
  /** Calls a tool for a view. @throws RpcError for a refusal and for an unknown tool; the other errors of `host.callTool`. */
  callTool(name: string, args: { readonly [key: string]: unknown }, options?: Signal): Promise<ToolResult>;
  /** Reads a resource for a view. @throws RpcError for a refusal; the other errors of `host.readResource`. */
  readResource(uri: string, options?: Signal): Promise<ReadResourceResult>;
}

/** The requests of a host to one server, with the way `app`. */
export interface AppRequests {
  readonly tool: (name: string, signal: Signal) => Promise<Tool | undefined>;
  readonly callTool: (name: string, args: JsonObject, signal: Signal) => Promise<ToolResult>;
  readonly readResource: (uri: string, signal: Signal) => Promise<ReadResourceResult>;
}

/** JSON-RPC's code for an error of the application. */
const refused = -32_000;

/** Returns a server that has only the tools which views may call, and errors that say no more than a view may know. */
export function appServer({ tool, callTool, readResource }: AppRequests): HostAppServer {
  const visible = async (name: string, signal: Signal = {}) => {
    const found = await tool(name, signal);
    return found !== undefined && isVisibleTo('app', found) ? found : undefined;
  };
  return {
    tool: visible,
    async callTool(name, args, signal = {}) {
      // A hidden tool and one that does not exist have the same error.
      if ((await visible(name, signal)) === undefined)
        throw new RpcError(ErrorCode.invalidParams, `Unknown tool: ${visibleLine(name, 128)}`);
      return callTool(name, args as JsonObject, signal).catch(forView);
    },
    readResource: (uri, signal = {}) => readResource(uri, signal).catch(forView),
  };
}

/** Throws the error for a view. A refusal has no reason there: it could tell a malicious server about the policy and the user. */
function forView(error: unknown): never {
  if (error instanceof HostError && error.reason === 'denied')
    throw new RpcError(refused, 'The host refused the request.');
  throw error;
}
