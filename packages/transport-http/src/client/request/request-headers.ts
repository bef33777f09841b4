import type { Envelope, Revision } from '@tenon/mcp-protocol';
import { flatHeaders, type HeaderSource, isOwnHeader, sendable } from './user-headers.js';

/** Names and values, alternating; a promise if the application's function returns one. */
export type HeaderList = string[] | Promise<string[]>;

// Without the header, a server may choose any coding (RFC 9110, section 12.5.3).
const uncompressed = ['accept-encoding', 'identity'];
const posting = [
  ...['content-type', 'application/json', 'accept', 'application/json, text/event-stream'],
  ...uncompressed,
];
const listening = ['accept', 'text/event-stream', ...uncompressed];

/** Makes the headers of every request of one connection. Headers that stay the same are made once. */
export class RequestHeaders {
  readonly #source: () => string[] | Promise<string[]>;
  readonly #fixed: string[] | undefined;
  #revision: Revision | undefined;
  #session: string | undefined;
  #ordinary: string[] | undefined;

  /** @throws TypeError if the headers include one that only the transport may set. */
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

  /** The revision of the connection; undefined before it is negotiated. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  set revision(revision: Revision) {
    this.#revision = revision;
    this.#ordinary = undefined;
  }

  /** The id of the session; undefined before there is one. It is a secret. */
  get session(): string | undefined {
    return this.#session;
  }

  set session(id: string | undefined) {
    this.#session = id;
    this.#ordinary = undefined;
  }

  /** Returns the headers of a POST. Throws or rejects if the application's function does. */
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

  /** Returns the headers of a GET that resumes after an event, or of a DELETE. */
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

/** Returns a copy of the headers with those of one call, which take precedence. */
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
