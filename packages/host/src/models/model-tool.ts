import type { JsonObject, Tool } from '@tenon/mcp-protocol';

/** A tool as models see it. */
export interface ModelTool {
  /** The name for the model: unique in the host, and of the form that all model formats allow. */
  readonly name: string;
  /** The name of the server in the host. */
  readonly server: string;
  /** The definition of the server, with its own name. */
  readonly tool: Tool;
}

/** A call that a model made. */
export interface ModelToolCall {
  /** The id that the model gave the call. */
  readonly id: string;
  /** The name that the model called. */
  readonly name: string;
  readonly args: JsonObject;
}
