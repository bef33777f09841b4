import { follow } from '@tenon/foundation';
import type { InputRequest, InputResponse, SessionError } from '@tenon/mcp-protocol';
import { inputPromise } from './input-promise.js';
import type { OnceSteps } from './once-steps.js';
import { duplicateKey, handlerOf, inputRequestInsideOnce, keyProblem, type Named } from './problems.js';

/** The way of the input requests of one run, and the place of its steps. */
export interface InputPort {
  readonly steps: OnceSteps;
  /** Returns the reason with which input requests reject once the run has ended; undefined before. */
  ended(): unknown;
  /** Returns the reason if this input request must not be made, and counts it otherwise. */
  refusal(key: string, request: InputRequest): SessionError | undefined;
  /** Returns the answer to an input request, which the client may have given to an earlier run. */
  answer(key: string, request: InputRequest): Promise<InputResponse>;
  /** Ends the run: input requests that still wait are not needed. */
  end(): void;
}

/** The input requests and steps of one run of a handler. */
export class Inputs {
  readonly #call: Named;
  readonly #port: InputPort;
  readonly #requested = new Set<string>();

  constructor(call: Named, port: InputPort) {
    this.#call = call;
    this.#port = port;
  }

  requestInput(key: string, request: InputRequest): Promise<InputResponse> {
    return inputPromise(({ resolve, raise }) => {
      const refusal = this.#refusal(key, request);
      if (refusal !== undefined) return raise(refusal);
      this.#requested.add(key);
      follow(this.#port.answer(key, request), resolve, raise);
    });
  }

  once<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    return this.#port.steps.run(key, step);
  }

  end(): void {
    this.#port.end();
  }

  #refusal(key: string, request: InputRequest): unknown {
    const ended = this.#port.ended();
    if (ended !== undefined) return ended;
    const problem = keyProblem('input request', key);
    if (problem !== undefined) return problem;
    if (this.#requested.has(key)) return duplicateKey(handlerOf(this.#call), key);
    const step = this.#port.steps.entered;
    return step === undefined ? this.#port.refusal(key, request) : inputRequestInsideOnce(key, step);
  }
}
