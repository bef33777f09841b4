import type { Principal } from '@tenon/mcp-protocol';
import type { HttpCall } from './http-call.js';

/** Handles calls that the gate has accepted. */
export interface Mount {
  handle(call: HttpCall, principal: Principal | undefined): void;
  /** Stops accepting calls, and resolves when the running ones have finished. */
  drain(): Promise<void>;
}

/** A mount beside the endpoint, with its own paths. */
export interface SideMount extends Mount {
  readonly paths: readonly string[];
}
