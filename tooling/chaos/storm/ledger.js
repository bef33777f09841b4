import { mostCalls } from './answers.js';

/** What became of a call. */
export const Outcome = /** @type {const} */ ({ none: 0, right: 1, error: 2, wrong: 3, open: 4 });

/**
 * What can be wrong with a call, besides how it ended.
 *
 * @typedef {'wrong answer' | 'untyped error' | 'unexplained error' | 'no end' | 'hole in progress' | 'hole in logs'
 *   | 'hole in ticks' | 'answered twice on the wire' | 'event twice on the wire' | 'question of another call'
 *   | 'answer of another user' | 'wrong revision' | 'not alive after the storm' | 'change not heard'
 *   | 'closing failed'} Fault
 */

/** How often the server may handle a call: once, more than once when its answer is lost, or it does not count. */
export const Handling = /** @type {const} */ ({ once: 0, repeatable: 1, uncounted: 2 });

const mostExamples = 5;

/** What became of every call, by number, and everything that should not have been. */
export class Ledger {
  /** @type {Uint8Array} */
  outcomes = new Uint8Array(mostCalls);
  /** How often each may be handled, by number. */
  handling = new Uint8Array(mostCalls);
  /** The first call has the number after this one. */
  first = 0;
  last = 0;
  /** @type {Record<string, number>} */
  calls = {};
  /** @type {Record<string, number>} */
  right = {};
  /** @type {Record<string, number>} */
  errors = {};
  /** What errors said, without figures. @type {Record<string, number>} */
  messages = {};
  /** @type {Record<string, number>} */
  events = {};
  /** @type {Record<string, { count: number, examples: string[] }>} */
  faults = {};

  /**
   * A number no call has had.
   *
   * @param {string} kind
   * @param {number} [handling]
   */
  number(kind, handling = Handling.once) {
    const number = ++this.last;
    if (number >= mostCalls) throw new RangeError(`A storm has at most ${mostCalls} calls; make it shorter.`);
    this.outcomes[number] = Outcome.open;
    this.handling[number] = handling;
    add(this.calls, kind);
    return number;
  }

  /**
   * @param {number} number
   * @param {string} kind
   */
  isRight(number, kind) {
    this.outcomes[number] = Outcome.right;
    add(this.right, kind);
  }

  /**
   * @param {number} number
   * @param {string} name
   * @param {string} message
   */
  isError(number, name, message) {
    this.outcomes[number] = Outcome.error;
    add(this.errors, name);
    add(this.messages, message.replace(/\d{4,}/g, '#'));
  }

  /**
   * Something that is no fault happened.
   *
   * @param {string} event
   */
  note(event) {
    add(this.events, event);
  }

  /**
   * Something that must not be happened.
   *
   * @param {Fault} fault
   * @param {string} example
   */
  blame(fault, example) {
    this.faults[fault] ??= { count: 0, examples: [] };
    const found = this.faults[fault];
    found.count++;
    if (found.examples.length < mostExamples) found.examples.push(example.slice(0, 400));
  }
}

/**
 * @param {Record<string, number>} counts
 * @param {string} name
 */
function add(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}
