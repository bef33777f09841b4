import type { Principal } from '@tenon/mcp-protocol';
import type { HttpCall } from './http-call.js';

/** Something that answers calls which the gate has let in. */
export interface Mount {
  handle(call: HttpCall, principal: Principal | undefined): void;
  /** Takes nothing more, and resolves when nothing of it runs. */
  drain(): Promise<void>;
}

/** A mount beside the endpoint, at paths of its own. */
export interface SideMount extends Mount {
  readonly paths: readonly string[];
}
