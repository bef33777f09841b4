/** Somebody who holds sessions: a principal, or one address where the caller is not known. */
export class Holder<Session> {
  readonly name: string;
  /** A principal, and no address that several may have. */
  readonly known: boolean;
  /** Sessions held, those whose handshake is going on included. */
  held = 0;
  #unused: Set<Session> | undefined;

  constructor(name: string, known: boolean) {
    this.name = name;
    this.known = known;
  }

  /** The session of an address that has waited longest for its first message; undefined where all are in use. */
  get oldestUnused(): Session | undefined {
    const [oldest] = this.#unused ?? [];
    return oldest;
  }

  /** Notes that a session waits for its first message. */
  opened(session: Session): void {
    if (this.known) return;
    this.#unused ??= new Set();
    this.#unused.add(session);
  }

  /** Notes that a session is in use, or over. */
  used(session: Session): void {
    this.#unused?.delete(session);
  }
}

/** Who holds how many sessions. Whoever holds none is forgotten. */
export class SessionHolders<Session> {
  readonly #holders = new Map<string, Holder<Session>>();

  /**
   * Whoever sends a request, as one who may hold sessions; undefined where nothing is known of the sender.
   * @param owner - the name of a principal.
   */
  of(owner: string | undefined, address: string | undefined): Holder<Session> | undefined {
    const name = owner ?? (address === undefined ? undefined : `@${address}`);
    if (name === undefined) return undefined;
    return this.#holders.get(name) ?? new Holder(name, owner !== undefined);
  }

  /** Somebody holds one session more. */
  add(holder: Holder<Session> | undefined): void {
    if (holder === undefined) return;
    holder.held++;
    this.#holders.set(holder.name, holder);
  }

  /** Somebody holds one session less. */
  remove(holder: Holder<Session> | undefined): void {
    if (holder !== undefined && --holder.held === 0) this.#holders.delete(holder.name);
  }
}
