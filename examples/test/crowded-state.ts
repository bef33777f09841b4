import type { State, VersionedValue } from '@tenon/mcp-state';
import { SharedMemory } from '@tenon/mcp-testing/state';

/** Shared state. Several reads can be made to return the same version. Entries do not expire. */
export class CrowdedState {
  readonly state: State;
  readonly #memory: State = new SharedMemory({ clock: { now: () => 0 } }).open();
  #crowd = 0;
  #waiting: (() => void)[] = [];

  constructor() {
    const { kv, log, bus, leases } = this.#memory;
    this.state = {
      ...{ shared: true, log, bus, leases, status: 'ready' },
      kv: {
        get: (key) => this.#get(key),
        put: (...given) => kv.put(...given),
        compareAndSet: (...given) => kv.compareAndSet(...given),
        touch: (...given) => kv.touch(...given),
        delete: (...given) => kv.delete(...given),
      },
      onStatus: () => () => {},
      close: () => this.#memory.close(),
    };
  }

  /** Makes the next reads wait for each other. */
  crowd(readers: number): void {
    this.#crowd = readers;
  }

  async #get(key: string): Promise<VersionedValue | undefined> {
    const kept = await this.#memory.kv.get(key);
    if (this.#crowd > 0) {
      const arrived = new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (this.#waiting.length === this.#crowd) {
        const waiting = this.#waiting;
        this.#waiting = [];
        this.#crowd = 0;
        for (const go of waiting) go();
      }
      await arrived;
    }
    return kept;
  }
}
