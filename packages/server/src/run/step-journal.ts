/** The values of `once` steps that attempts of the same call share. */
export interface StepJournal {
  /** Returns the value that an attempt kept; undefined if the step has not run. */
  recall(step: string): Promise<{ readonly value: unknown } | undefined>;
  /** Keeps the value of a step. @returns the value that counts: another attempt may have kept one before. */
  keep(step: string, value: unknown): Promise<unknown>;
}

// Beside the requests, not in them: a request without a journal costs nothing.
const journals = new WeakMap<object, StepJournal>();

/** Attaches the journal to a request. */
export function attachStepJournal(request: object, journal: StepJournal): void {
  journals.set(request, journal);
}

/** Returns the journal of a request; undefined for a call that is not repeated. */
export function stepJournalOf(request: object): StepJournal | undefined {
  return journals.get(request);
}
