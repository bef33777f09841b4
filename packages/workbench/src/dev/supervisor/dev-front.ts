import type { DevEvent } from '../dev-events.js';
import type { DevBounds } from '../dev-options.js';
import type { ListChange } from '../lists/list-snapshot.js';
import type { ChildGate } from './child-gate.js';
import type { DevChild } from './dev-child.js';

/** The parts of a supervisor that its front uses. */
export interface FrontParts {
  readonly bounds: DevBounds;
  readonly gate: ChildGate;
  emit(event: DevEvent): void;
  /** Called when the only client has left. */
  onGone(): void;
}

/** The side of a server in development that clients connect to. It stays when the server is replaced. */
export interface DevFront {
  /** The URL for clients; undefined over stdio. */
  readonly url: string | undefined;
  /** Starts to accept clients. */
  open(): Promise<void>;
  /** Prepares a child that has started to take the place of the earlier one. @throws StartError if it cannot. */
  adopt(child: DevChild): Promise<void>;
  /** Drops a child that was prepared, but is not used. */
  forget(child: DevChild): void;
  /**
   * Notifies clients of lists that have changed. Does not reject.
   * @param earlier - replaced children, which still have streams.
   */
  announce(child: DevChild, changes: readonly ListChange[], earlier: readonly DevChild[]): Promise<void>;
  /** Resolves when the calls of a replaced child have ended. After the time limit, answers the others with an error. */
  drain(child: DevChild): Promise<void>;
  /** Answers the calls of a child that has ended. */
  lost(child: DevChild): void;
  close(): Promise<void>;
}
