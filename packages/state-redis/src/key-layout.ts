import { groupOf } from '@tenon/mcp-state/adapter';

/** The names of keys and channels in Redis. A group is the hash tag, so that its keys are in one slot of a cluster. */
export class KeyLayout {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  value(key: string): string {
    return this.#name(key, 'kv');
  }

  log(key: string): string {
    return this.#name(key, 'log');
  }

  channel(topic: string): string {
    return this.#name(topic, 'bus');
  }

  /** The token of the present holder of a lease. */
  lease(name: string): string {
    return this.#name(name, 'lease');
  }

  /** The greatest token of the leases of a group. */
  fence(key: string): string {
    return this.#name(groupOf(key), 'fence');
  }

  #name(key: string, kind: string): string {
    const group = groupOf(key);
    const rest = key.slice(group.length + 1);
    return `${this.#prefix}:{${group}}:${kind}${rest === '' ? '' : `:${rest}`}`;
  }
}
