import type { Envelope, Revision } from '@tenon/mcp-protocol';
import { flatHeaders, type HeaderSource, isOwnHeader, sendable } from './user-headers.js';

/** Names and values in turn, or a promise of them where the application promises its own. */
export type HeaderList = string[] | Promise<string[]>;

const posting = ['content-type', 'application/json', 'accept', 'application/json, text/event-stream'];
const listening = ['accept', 'text/event-stream'];

/** Writes the headers of every request of one connection. What stays the same is made once. */
export class RequestHeaders {
  readonly #source: () => string[] | Promise<string[]>;
  readonly #fixed: string[] | undefined;
  #revision: Revision | undefined;
  #session: string | undefined;
  #ordinary: string[] | undefined;

  /** @throws TypeError for headers that are not the application's to set. */
  constructor(source: HeaderSource | undefined) {
    if (typeof source === 'function') {
      this.#source = () => {
        const given = source();
        return given instanceof Promise ? given.then(flatHeaders) : flatHeaders(given);
      };
    } else {
      const fixed = flatHeaders(source ?? {});
      this.#fixed = fixed;
      this.#source = () => fixed;
    }
  }

  /** The revision of the connection; undefined before it is settled. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  set revision(revision: Revision) {
    this.#revision = revision;
    this.#ordinary = undefined;
  }

  /** The id of the session, once there is one. It is a secret. */
  get session(): string | undefined {
    return this.#session;
  }

  set session(id: string | undefined) {
    this.#session = id;
    this.#ordinary = undefined;
  }

  /** Headers of a POST. May throw, and reject, with what the application's function does. */
  post({ opening, headers }: Envelope): HeaderList {
    const fixed = this.#fixed;
    if (fixed !== undefined) {
      if (opening === true) return withOwn([...posting, ...fixed], headers);
      this.#ordinary ??= [...posting, ...this.#state(), ...fixed];
      return withOwn(this.#ordinary, headers);
    }
    const head = opening === true ? posting : [...posting, ...this.#state()];
    return this.#completed(head, (all) => withOwn(all, headers));
  }

  /** Headers of a GET for events after one that was seen, or of a DELETE. */
  other(method: 'GET' | 'DELETE', lastEventId: string | undefined): HeaderList {
    const head = [...(method === 'GET' ? listening : []), ...this.#state()];
    if (lastEventId !== undefined) head.push('last-event-id', lastEventId);
    return this.#completed(head, (all) => all);
  }

  #completed(head: readonly string[], finish: (all: string[]) => string[]): HeaderList {
    const own = this.#source();
    if (own instanceof Promise) return own.then((given) => finish(head.concat(given)));
    return finish(head.concat(own));
  }

  #state(): string[] {
    const state: string[] = [];
    if (this.#revision?.rules.versionHeader) state.push('mcp-protocol-version', this.#revision.id);
    if (this.#session !== undefined) state.push('mcp-session-id', this.#session);
    return state;
  }
}

/** All headers with those of one call, which win. The list given is not changed. */
function withOwn(all: string[], own: Envelope['headers']): string[] {
  if (own === undefined) return all;
  const merged = all.slice();
  for (const name in own) {
    const key = name.toLowerCase();
    if (isOwnHeader(key))
      throw new TypeError(`The header "${name}" is written by the transport; leave it out.`);
    const at = indexOfName(merged, key);
    const text = sendable(name, own[name]);
    if (at < 0) merged.push(key, text);
    else merged[at + 1] = text;
  }
  return merged;
}

function indexOfName(flat: readonly string[], name: string): number {
  for (let index = 0; index < flat.length; index += 2) if (flat[index] === name) return index;
  return -1;
}
