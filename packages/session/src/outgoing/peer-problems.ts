import { type RequestId, SessionError } from '@tenon/mcp-protocol';
import { type Allowance, leniencyText } from '@tenon/mcp-protocol/internal';
import { type ErrorListener, report } from '../callbacks.js';

/** Unexpected answers that are reported one by one; further ones are reported when their number has doubled. */
const reportedSingly = 16;

/** Reported leniencies of one connection. */
const mostLeniencies = 64;

/** Reports violations of a peer, at a limited rate. One for each connection. */
export class PeerProblems {
  readonly #behaviour: ErrorListener;
  #reported: Set<string> | undefined;
  #unmatched = 0;

  constructor(behaviour: ErrorListener) {
    this.#behaviour = behaviour;
  }

  /** Reports a leniency: once for each method, and again with other details, as on the next page of a list. */
  allowed(allowance: Allowance, method: string): void {
    const key = `${allowance.leniency} ${method} ${allowance.detail ?? ''}`;
    this.#reported ??= new Set();
    if (this.#reported.has(key) || this.#reported.size >= mostLeniencies) return;
    this.#reported.add(key);
    report(this.#behaviour, new SessionError('invalid-answer', leniencyText(allowance, method)), method);
  }

  /**
   * Reports an answer that matches no request.
   * @param error - the error in it, if it is the answer to a message with an id that the peer could not read.
   */
  unmatched(id: RequestId | null | undefined, error?: unknown): void {
    const count = ++this.#unmatched;
    if (count > reportedSingly && (count & (count - 1)) !== 0) return;
    if (error !== undefined) {
      report(this.#behaviour, error, 'a response without id');
      return;
    }
    const which = id === undefined || id === null ? 'no id' : `the id ${JSON.stringify(id).slice(0, 64)}`;
    const sofar = count > reportedSingly ? ` ${count} such answers have come so far.` : '';
    const message = `An answer with ${which} matches no request that waits for one.${sofar}`;
    report(this.#behaviour, new SessionError('invalid-answer', message), 'response');
  }
}
