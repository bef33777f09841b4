import type { Clock } from '@tenon/foundation';
import type { Answer, Connection, EventPort, Exchange, Revision, serverPort } from '@tenon/mcp-protocol';
import type { Endpoint } from '@tenon/mcp-session';
import type { Processes } from '@tenon/mcp-state';
import type { ServerGuard } from './core/server-guard.js';
import type { SettledSession } from './lifecycle.js';

/** The members of a server for transports: `server[serverPort]`. */
export interface ServerPort {
  /** The supported revisions, newest first. */
  readonly revisions: readonly Revision[];
  readonly clock: Clock;
  /** Receives errors that no peer receives. */
  readonly onError: (error: unknown, where: string) => void;
  /** Receives the events of the transports. */
  readonly events: EventPort;
  /** This process among those that share the state. */
  readonly processes: Processes | undefined;
  /** The guard of the HTTP endpoints. */
  readonly serverGuard: ServerGuard;
  /** Notifies the extensions that this process leaves its work to others. Resolves when they have done so. */
  leaving(): Promise<void>;
  /** True for a call of a tool that may run again: it is marked read-only or idempotent. */
  isRepeatable(message: unknown): boolean;
  /**
   * Serves one connection until it ends, and returns its endpoint.
   * @param session - the result of an earlier handshake, if there was one on another connection.
   */
  accept(connection: Connection, session?: SettledSession): Endpoint;
  /**
   * Answers one message outside of connections, such as a stateless HTTP request. The facts of its exchange have the
   * revision for messages without one.
   */
  answer(value: unknown, exchange: Exchange): Answer;
}

/** A server with its port. An interface, because the declarations of a class cannot contain a member with an imported key. */
export interface PortedServer {
  [serverPort]: ServerPort;
}

/** The base class of a server, which sets its port. */
export const PortedServer: new () => PortedServer = class {
  declare [serverPort]: ServerPort;
};
