import type { Implementation } from '@tenon/mcp-client';

/**
 * The status of a server in a host. `configured`: it was not used yet; `known`: its tools are known, and it is not connected; `starting`; `ready`;
 * `needs-sign-in`: its tools stay in the catalogue, and calls are refused until the user has signed in; `failed`: the last start failed, and
 * the next request tries again after a pause.
 */
export type ServerStatus = 'configured' | 'known' | 'starting' | 'ready' | 'needs-sign-in' | 'failed';

/** The state of one server of a host. A value: it does not change. */
export interface ServerState {
  /** The name in the host. */
  readonly name: string;
  readonly status: ServerStatus;
  /** The reason of the status `needs-sign-in` or `failed`: one line for the user. */
  readonly reason?: string;
  /** The error of the last failure. */
  readonly error?: unknown;
  /** The client info that the server sent, for display; not verified. */
  readonly info?: Implementation;
  /** The revision in use. */
  readonly revision?: string;
  /** The instructions of the server for models, as it sent them. */
  readonly instructions?: string;
  /** The numbers of its known tools, prompts and resources. */
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
}
