import { mostCalls } from './answers.js';

/** The outcome of a call. */
export const Outcome = /** @type {const} */ ({ none: 0, right: 1, error: 2, wrong: 3, open: 4 });

/**
 * The problems of a call other than its outcome.
 *
 * @typedef {'wrong answer' | 'untyped error' | 'unexplained error' | 'no end' | 'hole in progress' | 'hole in logs'
 *   | 'hole in ticks' | 'answered twice on the wire' | 'event twice on the wire' | 'input request of another call'
 *   | 'answer of another user' | 'wrong revision' | 'not alive after the storm' | 'change not received'
 *   | 'closing failed' | 'session lost' | 'log of another call' | 'update of another caller' | 'taken for another caller'
 *   | 'task without an end' | 'task ended twice'} Fault
 */

/** The allowed number of times the server handles a call: once; more than once if its answer is lost; or not counted. */
export const Handling = /** @type {const} */ ({ once: 0, repeatable: 1, uncounted: 2 });

const mostExamples = 5;

/** The outcome of every call, by number, and all problems. */
export class Ledger {
  /** @type {Uint8Array} */
  outcomes = new Uint8Array(mostCalls);
  /** The allowed {@link Handling} of each call, by number. */
  handling = new Uint8Array(mostCalls);
  /** The number before the first call. */
  first = 0;
  last = 0;
  /** @type {Record<string, number>} */
  calls = {};
  /** @type {Record<string, number>} */
  right = {};
  /** @type {Record<string, number>} */
  errors = {};
  /** Messages of errors, without figures. @type {Record<string, number>} */
  messages = {};
  /** @type {Record<string, number>} */
  events = {};
  /** @type {Record<string, { count: number, examples: string[] }>} */
  faults = {};

  /**
   * Returns a number that no call has had.
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
   * Counts an event that is not a fault.
   *
   * @param {string} event
   */
  note(event) {
    add(this.events, event);
  }

  /**
   * Counts a fault.
   *
   * @param {Fault} fault
   * @param {string} example
   */
  recordFault(fault, example) {
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
