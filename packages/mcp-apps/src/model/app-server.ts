import type { CallToolResult, ReadResourceResult, Tool } from '@tenon/mcp-protocol';
import type { AppMeta } from './app-metadata.js';

/** An app that was read from its server and checked: the document, and the declarations for its sandbox. */
export interface AppResource extends AppMeta {
  readonly uri: string;
  readonly html: string;
}

/** The server of an app, for its views: `createAppServer` of `/client` makes one of a client. */
export interface AppServer {
  /** Returns the definition of a tool; undefined if there is none of that name. */
  tool(name: string, options: { readonly signal: AbortSignal }): Promise<Pick<Tool, '_meta'> | undefined>;
  callTool(
    name: string,
    args: { readonly [key: string]: unknown },
    options: { readonly signal: AbortSignal },
  ): Promise<CallToolResult>;
  readResource(uri: string, options: { readonly signal: AbortSignal }): Promise<ReadResourceResult>;
}
