import type { CallHistory, SessionError, UnknownObject } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import { type InputType, obstacle } from './capabilities.js';
import type { Inputs } from './inputs.js';
import { loadedRunCode, loadRunCode, type RunCode } from './loading.js';
import type { StepJournal } from './once-steps.js';
import { Run, type RunOptions } from './run.js';

/** A run for a request that waits for its result, with input requests as requests of their own. */
export class LiveRun extends Run<IncomingRequest> {
  readonly #steps: StepJournal | undefined;

  constructor(options: RunOptions, request: IncomingRequest, steps?: StepJournal) {
    super(options, request);
    this.#steps = steps;
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }

  get over(): boolean {
    return this.call.finished;
  }

  get history(): CallHistory | undefined {
    return this.call.exchange.history;
  }

  obstacle(what: InputType): SessionError | undefined {
    return obstacle(this.call, what);
  }

  protected open(): Inputs | Promise<Inputs> {
    const make = ({ liveInputs }: RunCode) => liveInputs(this.options, this.call, this.#steps);
    const loaded = loadedRunCode();
    return loaded === undefined ? loadRunCode().then(make) : make(loaded);
  }
}

/**
 * Runs a handler for a request, in the way of its revision: returns the result of the handler, or its input requests.
 * @param steps - the values of steps that attempts of the call share; undefined for a call that is not repeated.
 */
export function runHandler(
  options: RunOptions,
  { request, steps }: { readonly request: IncomingRequest; readonly steps?: StepJournal | undefined },
  handler: (run: Run) => UnknownObject | Promise<UnknownObject>,
): UnknownObject | Promise<UnknownObject> {
  if (request.revision.rules.inputRequestMode === 'request')
    return new LiveRun(options, request, steps).run(handler);
  const loaded = loadedRunCode();
  if (loaded !== undefined) return loaded.runRounds(options, { request, steps }, handler);
  // Every input request of this client is rejected, as in a live run.
  if (!canAnswerInput(request)) return new LiveRun(options, request, steps).run(handler);
  return loadRunCode().then((late) => {
    if (request.cancelled) throw request.signal.reason;
    return late.runRounds(options, { request, steps }, handler);
  });
}

/** True if the client can answer input requests, or answers one with this request. */
function canAnswerInput({ params, from }: IncomingRequest): boolean {
  const { elicitation, sampling, roots } = from.clientCapabilities;
  return (
    elicitation !== undefined ||
    sampling !== undefined ||
    roots !== undefined ||
    params.requestState !== undefined
  );
}
