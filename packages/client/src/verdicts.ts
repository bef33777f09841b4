import type { Revision } from '@tenon/mcp-protocol';

/** What was found out of a server. */
export interface Verdict {
  /** The revision to open it with. */
  readonly revision: Revision;
  /** It is reached by the older transport alone. */
  readonly older: boolean;
}

const most = 1_000;

/** What was found out of servers, by their names, for as long as the process lasts; the oldest is forgotten first. */
export class Verdicts {
  readonly #known = new Map<string, Verdict>();
  readonly #limit: number;

  /** @param limit - servers known at the same time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(name: string): Verdict | undefined {
    return this.#known.get(name);
  }

  set(name: string, verdict: Verdict): void {
    this.#known.delete(name);
    this.#known.set(name, verdict);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#limit) return;
      this.#known.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#known.delete(name);
  }
}

/** What the clients of this process found out. */
export const verdicts: Verdicts = new Verdicts(most);

/**
 * The part of a verdict that holds longer than one connection: a handshake settles the revision itself, and is begun with
 * the newest one, so that a server that has learned more since is not kept from saying so.
 */
export function lasting(verdict: Verdict, ours: readonly Revision[]): Verdict {
  const { revision, older } = verdict;
  const newest = ours.find((one) => one.lifecycle === 'handshake');
  return revision.lifecycle === 'handshake' && newest !== undefined ? { revision: newest, older } : verdict;
}
