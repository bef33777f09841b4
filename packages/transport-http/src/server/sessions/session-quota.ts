/** A holder of sessions: a principal, or an address if the caller is not known. */
export class SessionHolder<Session> {
  readonly name: string;
  /** True for a principal. An address may be shared by several callers. */
  readonly known: boolean;
  /** Number of sessions held, including those with an unfinished handshake. */
  held = 0;
  #unused: Set<Session> | undefined;

  constructor(name: string, known: boolean) {
    this.name = name;
    this.known = known;
  }

  /** The session of an address that has waited longest for its first message; undefined if all are in use. */
  get oldestUnused(): Session | undefined {
    const [oldest] = this.#unused ?? [];
    return oldest;
  }

  /** Records that a session waits for its first message. */
  opened(session: Session): void {
    if (this.known) return;
    this.#unused ??= new Set();
    this.#unused.add(session);
  }

  /** Records that a session is in use, or has ended. */
  used(session: Session): void {
    this.#unused?.delete(session);
  }
}

/** Counts sessions by holder. A holder without sessions takes no memory. */
export class SessionQuota<Session> {
  readonly #holders = new Map<string, SessionHolder<Session>>();

  /**
   * Returns the holder of a sender; undefined if nothing is known about the sender.
   * @param owner - the name of a principal.
   */
  of(owner: string | undefined, address: string | undefined): SessionHolder<Session> | undefined {
    const name = owner ?? (address === undefined ? undefined : `@${address}`);
    if (name === undefined) return undefined;
    return this.#holders.get(name) ?? new SessionHolder(name, owner !== undefined);
  }

  /** Counts one more session. */
  add(holder: SessionHolder<Session> | undefined): void {
    if (holder === undefined) return;
    holder.held++;
    this.#holders.set(holder.name, holder);
  }

  /** Counts one session fewer. */
  remove(holder: SessionHolder<Session> | undefined): void {
    if (holder !== undefined && --holder.held === 0) this.#holders.delete(holder.name);
  }
}
