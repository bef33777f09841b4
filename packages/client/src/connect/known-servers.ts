import type { Revision } from '@tenon/mcp-protocol';

/** The result of a probe. */
export interface Verdict {
  /** The revision of the connection. */
  readonly revision: Revision;
  /** True if only the older transport reaches it. */
  readonly older: boolean;
}

const most = 1_000;

/** The results of probes by server name, until the process ends; the oldest is dropped first. */
export class Verdicts {
  readonly #known = new Map<string, Verdict>();
  readonly #limit: number;

  /** @param limit - servers stored at the same time. */
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

/** The results of all clients of this process. */
export const verdicts: Verdicts = new Verdicts(most);

/**
 * The part of a result that outlasts one connection: a handshake negotiates the revision itself, and starts with
 * the newest one, so that an upgraded server can choose it.
 */
export function lasting(verdict: Verdict, ours: readonly Revision[]): Verdict {
  const { revision, older } = verdict;
  const newest = ours.find((one) => one.lifecycle === 'handshake');
  return revision.lifecycle === 'handshake' && newest !== undefined ? { revision: newest, older } : verdict;
}
