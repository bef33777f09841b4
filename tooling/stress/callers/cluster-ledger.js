import { Ledger } from '../storm/findings/ledger.js';

/**
 * A call that failed. The report explains it by what was done to nodes and to the state, or counts it as a problem.
 *
 * @typedef {object} Failure
 * @property {number} number of the call; 0 for connecting
 * @property {string} kind the scenario
 * @property {string} clientKind
 * @property {string} problem
 * @property {number} from milliseconds since 1970
 * @property {number} to
 * @property {boolean} [becameTask] true if the call had become a task
 * @property {boolean} [gaveUp] true if the client reported meanwhile that it gave up a stream
 */

/**
 * The calls of one flood, in sum over all nodes.
 *
 * @typedef {{ from: number, to: number, accepted: number, refused: number }} Flood
 */

/** The most failures that are kept. */
const mostFailures = 20_000;

/** The outcomes of all calls of one process of callers. */
export class ClusterLedger extends Ledger {
  /** @type {Failure[]} */
  failures = [];
  /** @type {Flood[]} */
  floods = [];
  /** The numbers of calls that were cancelled. @type {number[]} */
  cancelled = [];
  /** Calls with an idempotency key that were answered. @type {import('./repeated-call.js').Repeated[]} */
  repeated = [];
  /** Tasks that their callers have seen ended. @type {import('./task-calls.js').EndedTask[]} */
  tasks = [];
  /** DPoP proofs that were sent to several nodes. @type {Omit<import('./replayed-proof.js').Presented, 'result'>[]} */
  proofs = [];
  /** Callers that kept one session from the start, and those of them that lost it. */
  residents = { opened: 0, lost: 0 };

  /** @param {Failure} failure */
  fails(failure) {
    if (this.failures.length < mostFailures) this.failures.push(failure);
    this.note(`failed: ${failure.kind}`);
  }
}
