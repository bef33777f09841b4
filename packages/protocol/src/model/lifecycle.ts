import type { Implementation, Meta } from './annotations.js';
import type { ClientCapabilities, ServerCapabilities } from './capabilities.js';
import type { CacheHints } from './pagination.js';

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
