import { isRecord } from '@tenon/foundation';
import { redacted } from '@tenon/foundation/redaction';
import type { Speaker } from '../connections/tapped-connection.js';
import { type Expectation, exampleOf, expectationIn, unmetCheck } from './expectations.js';
import { opaqueKind, type Place } from './opaque.js';

/** Maximum number of differences reported for one frame. */
const mostDifferences = 5;

/** Two values at the same position. */
interface Pair {
  readonly recorded: unknown;
  readonly actual: unknown;
  readonly place: Place;
}

/**
 * Compares frames with recorded ones. Ids, tokens, cursors and sealed state may differ from the recorded ones if they do so
 * consistently; redacted values match anything, and expectations match the values that meet them.
 */
export class Likeness {
  readonly #ignored: ReadonlySet<string>;
  /** The current value for each recorded value, by kind and recorded value. */
  readonly #known = new Map<string, unknown>();

  /** @param ignored - names of members that are not compared, at any depth */
  constructor(ignored: readonly string[] = []) {
    this.#ignored = new Set(ignored);
  }

  /** Returns the differences between a frame and a recorded one, in words; empty if they match. */
  differences(recorded: unknown, actual: unknown, from: Speaker): readonly string[] {
    const found: string[] = [];
    this.#visit({ recorded, actual, place: placeOf(recorded, from) }, (difference) => found.push(difference));
    return found.length <= mostDifferences ? found : [...found.slice(0, mostDifferences), 'and more'];
  }

  /** Records that this frame matches the recorded one. */
  accept(recorded: unknown, actual: unknown, from: Speaker): void {
    const noted = (_: string, name?: string, value?: unknown) => {
      if (name !== undefined && value !== undefined) this.#known.set(name, value);
    };
    this.#visit({ recorded, actual, place: placeOf(recorded, from) }, noted, true);
  }

  /** True if a response belongs to the same request as a recorded response. */
  isAnswerLike(recorded: unknown, actual: unknown, from: Speaker): boolean {
    if (!isRecord(recorded) || !isRecord(actual) || 'method' in recorded || 'method' in actual) return false;
    const place = within(placeOf(recorded, from), 'id');
    return this.#fill(recorded.id, place) === actual.id;
  }

  /**
   * Returns an actual frame as it belongs into the recording: values that match keep their recorded form, such as ids, redacted
   * values and expectations.
   */
  updated(recorded: unknown, actual: unknown, from: Speaker): unknown {
    return this.#update({ recorded, actual, place: placeOf(recorded, from) });
  }

  /** Returns a recorded frame with current ids, ready to send. */
  filled(recorded: unknown, from: Speaker): unknown {
    return this.#fill(recorded, placeOf(recorded, from));
  }

  #fill(value: unknown, place: Place): unknown {
    const name = this.#nameOf(value, place);
    if (name !== undefined) {
      if (!this.#known.has(name)) this.#known.set(name, value);
      return this.#known.get(name);
    }
    if (typeof value !== 'object' || value === null) return value;
    const expectation = expectationIn(value);
    if (expectation !== undefined) return exampleOf(expectation);
    if (Array.isArray(value)) return value.map((item, index) => this.#fill(item, within(place, index)));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#fill(item, within(place, key))]),
    );
  }

  #update({ recorded, actual, place }: Pair): unknown {
    if (actual === undefined) return undefined;
    if (this.#matches({ recorded, actual, place })) return recorded;
    if (Array.isArray(recorded) && Array.isArray(actual)) {
      return actual.map((item, index) =>
        this.#update({ recorded: recorded[index], actual: item, place: within(place, index) }),
      );
    }
    if (!isRecord(recorded) || !isRecord(actual) || expectationIn(recorded) !== undefined) return actual;
    return Object.fromEntries(
      Object.entries(actual).map(([key, item]) => {
        const was = Object.hasOwn(recorded, key) ? recorded[key] : undefined;
        if (this.#ignored.has(key) && was !== undefined) return [key, was];
        return [key, this.#update({ recorded: was, actual: item, place: within(place, key) })];
      }),
    );
  }

  #matches(pair: Pair): boolean {
    let isLike = true;
    this.#visit(pair, () => {
      isLike = false;
    });
    return isLike;
  }

  /** Calls back for each difference; with `opaque`, for each value that may differ instead. */
  #visit(
    { recorded, actual, place }: Pair,
    tell: (difference: string, name?: string, value?: unknown) => void,
    opaque = false,
  ): void {
    const expectation = expectationIn(recorded);
    const name = this.#nameOf(recorded, place);
    if (expectation !== undefined) this.#meets({ expectation, actual, place }, tell, opaque);
    else if (name !== undefined) {
      if (opaque) tell('', name, actual);
      else if (this.#known.has(name) ? this.#known.get(name) !== actual : !isScalar(actual)) {
        tell(differ(place, actual, this.#known.get(name) ?? recorded));
      }
    } else if (Array.isArray(recorded) && Array.isArray(actual)) {
      for (let index = 0; index < Math.max(recorded.length, actual.length); index++) {
        const pair = { recorded: recorded[index], actual: actual[index], place: within(place, index) };
        this.#visit(pair, tell, opaque);
      }
    } else if (isRecord(recorded) && isRecord(actual)) {
      for (const key of new Set([...Object.keys(recorded), ...Object.keys(actual)])) {
        if (this.#ignored.has(key)) continue;
        this.#visit(
          { recorded: recorded[key], actual: actual[key], place: within(place, key) },
          tell,
          opaque,
        );
      }
    } else if (!opaque && !isLike(recorded, actual)) tell(differ(place, actual, recorded));
  }

  /** Compares a value with an expectation, in the way of `#visit`. */
  #meets(
    { expectation, actual, place }: { expectation: Expectation; actual: unknown; place: Place },
    tell: (difference: string, name?: string, value?: unknown) => void,
    opaque: boolean,
  ): void {
    const { members, contains } = expectation;
    const expected = (words: string) => {
      if (!opaque)
        tell(
          `${whereOf(place)} ${actual === undefined ? 'is missing' : `is ${shown(actual)}`}, expected ${words}`,
        );
    };
    if (actual === undefined) {
      expected('a value');
      return;
    }
    if ('equals' in expectation) this.#visit({ recorded: expectation.equals, actual, place }, tell, opaque);
    const unmet = unmetCheck(expectation, actual);
    if (unmet !== undefined) expected(unmet);
    if (members !== undefined) {
      if (!isRecord(actual)) {
        expected('an object');
        return;
      }
      for (const [key, recorded] of Object.entries(members)) {
        if (!this.#ignored.has(key))
          this.#visit({ recorded, actual: actual[key], place: within(place, key) }, tell, opaque);
      }
    }
    if (contains === undefined) return;
    const found = Array.isArray(actual)
      ? actual.findIndex((item, index) =>
          this.#matches({ recorded: contains, actual: item, place: within(place, index) }),
        )
      : -1;
    if (found < 0) expected(`a list that contains ${shown(contains)}`);
    else if (opaque && Array.isArray(actual))
      this.#visit({ recorded: contains, actual: actual[found], place: within(place, found) }, tell, opaque);
  }

  /** Returns the key under which the current value for a recorded one is stored; undefined if the value may not differ. */
  #nameOf(recorded: unknown, place: Place): string | undefined {
    const kind = isScalar(recorded) ? opaqueKind(place) : undefined;
    if (kind === undefined) return undefined;
    const name = (of: string) => `${of} ${JSON.stringify(recorded)}`;
    // A server that ends a listen stream uses the id of the client's request.
    const theirs = name('id of client');
    return kind === 'id of server' && !this.#known.has(name(kind)) && this.#known.has(theirs)
      ? theirs
      : name(kind);
  }
}

function placeOf(frame: unknown, from: Speaker): Place {
  return { from, method: isRecord(frame) ? frame.method : undefined, path: [] };
}

function within(place: Place, key: string | number): Place {
  return { ...place, path: [...place.path, String(key)] };
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function isLike(recorded: unknown, actual: unknown): boolean {
  if (Object.is(recorded, actual)) return true;
  if (typeof recorded !== 'string' || !recorded.includes(redacted)) return false;
  if (recorded === redacted) return actual !== undefined;
  let at = 0;
  return (
    typeof actual === 'string' &&
    recorded.split(redacted).every((part) => {
      const found = actual.indexOf(part, at);
      at = found + part.length;
      return found >= 0;
    })
  );
}

function whereOf({ path }: Place): string {
  return path.length === 0 ? 'the frame' : path.join('.');
}

function differ(place: Place, actual: unknown, recorded: unknown): string {
  const where = whereOf(place);
  if (actual === undefined) return `${where} is missing, recorded ${shown(recorded)}`;
  if (recorded === undefined) return `${where} is ${shown(actual)}, which was not recorded`;
  return `${where} is ${shown(actual)}, recorded ${shown(recorded)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`;
}
