import type { RequestId } from '../json-rpc/messages.js';
import type { Implementation, Meta } from './annotations.js';
import type { ClientCapabilities, ServerCapabilities } from './capabilities.js';
import type { CacheHints } from './message-members.js';

export interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
  readonly _meta?: Meta;
}

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
  readonly _meta?: Meta;
}

/** The server info, capabilities and instructions of a server in a stateless revision. */
export interface DiscoverResult extends CacheHints {
  readonly supportedVersions: readonly string[];
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
  readonly _meta?: Meta;
}

export interface CancelledParams {
  readonly requestId?: RequestId;
  readonly reason?: string;
  readonly _meta?: Meta;
}

/** Names the request a progress notification belongs to. */
export type ProgressToken = string | number;

export interface ProgressParams {
  readonly progressToken: ProgressToken;
  /** Must grow with each notification. */
  readonly progress: number;
  readonly total?: number;
  /** 2025-03-26 and later. */
  readonly message?: string;
  readonly _meta?: Meta;
}
