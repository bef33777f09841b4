import type { UnknownObject } from '@tenon/mcp-protocol';
import { detach, idempotencyKey } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { StepJournal } from '../run/once-steps.js';
import type { CallJournal, CallJournalOptions } from './call-journal.js';

/** The tool calls that clients may repeat. The code of their journal is in a separate file: servers without shared state never load it. */
export class RepeatedCalls {
  readonly #journal: Promise<CallJournal>;

  constructor(options: CallJournalOptions) {
    this.#journal = import('./call-journal.js').then(({ CallJournal }) => new CallJournal(options));
    detach(this.#journal, (error) => options.onError(error, 'journal'));
  }

  /**
   * Handles a call that the client may repeat; undefined if it is not such a call.
   * @param isRepeatable - true if the tool may run again without further effect.
   */
  attempt(
    request: IncomingRequest,
    isRepeatable: boolean,
    handle: (steps: StepJournal) => UnknownObject | Promise<UnknownObject>,
  ): Promise<UnknownObject> | undefined {
    if (request.revision.lifecycle !== 'stateless' || request.meta(idempotencyKey) === undefined)
      return undefined;
    return this.#journal.then((journal) => journal.attemptOf(request, isRepeatable).run(handle));
  }
}
