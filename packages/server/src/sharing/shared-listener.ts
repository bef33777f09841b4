import type { Principal, Revision } from '@tenon/mcp-protocol';
import type { Endpoint } from '@tenon/mcp-session';
import type { Change } from '../core/audience.js';
import { SessionListener } from '../features/resources/session-subscriptions.js';
import type { PostponedChanges } from './postponed-changes.js';

/** A session that several processes serve, as a listener: changes that its client cannot receive now are postponed. */
export class SharedListener extends SessionListener {
  readonly #endpoint: Endpoint;
  readonly #changes: PostponedChanges;
  /** The number of the first change that is postponed; 0: all changes may have been missed. */
  #from: number | undefined;

  constructor(
    endpoint: Endpoint,
    session: { readonly revision: Revision; readonly principal?: Principal | undefined },
    changes: PostponedChanges,
  ) {
    super(endpoint, session.revision, session.principal);
    this.#endpoint = endpoint;
    this.#changes = changes;
  }

  /**
   * Postpones a change while the client has no stream for it. A session has one number, whatever it misses.
   * @param change - undefined: all that the session listens to.
   * @returns false if the client can receive it now.
   */
  postpone(change: Change | undefined): boolean {
    if (this.#endpoint.connection.shared?.lacksStream !== true) return false;
    const number = change === undefined ? 0 : this.#changes.add(change);
    this.#from = Math.min(this.#from ?? number, number);
    return true;
  }

  /** Returns the postponed changes, and forgets them; undefined: all that the session listens to. */
  takePostponed(): readonly Change[] | undefined {
    const from = this.#from;
    this.#from = undefined;
    return from === undefined ? [] : this.#changes.from(from);
  }
}
