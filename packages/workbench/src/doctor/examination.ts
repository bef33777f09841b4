import { type Clock, systemClock, withDeadline, withoutControls } from '@tenon/foundation';
import { type FailureReason, failureOf } from '../failures/workbench-error.js';

/** The outcome of a step. A skipped step needs one that failed. */
export type StepStatus = 'passed' | 'warned' | 'failed' | 'skipped';

/** One step of a diagnosis. Texts may contain text of the server, cut to a length, without control characters. */
export interface DoctorStep {
  /** A short name that does not change between versions, such as `dns`. */
  readonly id: string;
  readonly title: string;
  readonly status: StepStatus;
  /** The result in one line. */
  readonly summary: string;
  /** Further lines: at most 20. */
  readonly details: readonly string[];
  /** The way to fix a warning or a failure. */
  readonly fix?: string;
  /** The kind of a failure. */
  readonly reason?: FailureReason;
  /** Milliseconds that the step took. */
  readonly ms: number;
}

/** The result of the work of a step; `value` is for the steps that need it. */
export interface Finding<T = unknown> {
  readonly status: 'passed' | 'warned' | 'failed';
  readonly summary: string;
  readonly details?: readonly string[];
  readonly fix?: string;
  readonly reason?: FailureReason;
  readonly value?: T;
}

/** A step that has not run yet. */
interface PlannedStep<T> {
  readonly id: string;
  readonly title: string;
  /** Ids of earlier steps: this one is skipped if one of them failed or was skipped. */
  readonly needs?: readonly string[];
  /** Milliseconds for this step. Default: those of the examination. */
  readonly timeout?: number;
  readonly work: (signal: AbortSignal) => Finding<T> | Promise<Finding<T>>;
}

/** The settings of an {@link Examination}. */
interface ExaminationSettings {
  /** Milliseconds for one step. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
  readonly onStart?: ((title: string) => void) | undefined;
  readonly onStep?: ((step: DoctorStep) => void) | undefined;
}

const mostDetails = 20;
const mostCharacters = 300;

/** Runs steps in order, each within its time, and skips those that need a step that failed. */
export class Examination {
  readonly steps: DoctorStep[] = [];
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly #settings: ExaminationSettings;

  constructor(settings: ExaminationSettings) {
    this.#settings = settings;
    this.timeout = settings.timeout;
    this.signal = settings.signal;
    this.clock = settings.clock ?? systemClock;
  }

  /**
   * Runs a step. An error of the work fails the step.
   * @returns the value of the finding; undefined if the step failed or was skipped.
   * @throws the reason of the signal of the examination.
   */
  async run<T>({
    id,
    title,
    needs = [],
    timeout = this.timeout,
    work,
  }: PlannedStep<T>): Promise<T | undefined> {
    this.signal.throwIfAborted();
    const missing = this.steps.find((step) => needs.includes(step.id) && !isDone(step));
    if (missing !== undefined) {
      this.#add({ id, title, status: 'skipped', summary: `needs ${missing.title}`, details: [], ms: 0 });
      return undefined;
    }
    this.#settings.onStart?.(title);
    const started = this.clock.now();
    const finding = await this.#finding(work, timeout);
    this.signal.throwIfAborted();
    const { status, summary, details = [], fix, reason, value } = finding;
    this.#add({
      ...{ id, title, status, summary: shortened(summary).replace(/(?<!\.)\.$/, '') },
      details: details.slice(0, mostDetails).map((line) => shortened(line)),
      ...(fix !== undefined && { fix: shortened(fix, 2 * mostCharacters) }),
      ...(status === 'failed' && { reason: reason ?? 'protocol' }),
      ms: Math.round(this.clock.now() - started),
    });
    return status === 'failed' ? undefined : value;
  }

  async #finding<T>(work: PlannedStep<T>['work'], timeout: number): Promise<Finding<T>> {
    const { clock, signal } = this;
    const overdue = new Error('The time of the step is over.');
    const deadline = { clock, ms: timeout, holds: true, signal, late: () => overdue };
    try {
      return await withDeadline(deadline, async (either) => work(either));
    } catch (error) {
      if (error === overdue) return late(timeout);
      const failure = failureOf(error);
      return {
        status: 'failed',
        summary: failure?.message ?? (error instanceof Error ? error.message : String(error)),
        ...(failure?.hint !== undefined && { fix: failure.hint }),
        reason: failure?.reason ?? (isMisuse(error) ? 'usage' : 'unreachable'),
      };
    }
  }

  #add(step: DoctorStep): void {
    this.steps.push(step);
    this.#settings.onStep?.(step);
  }
}

function isDone({ status }: DoctorStep): boolean {
  return status === 'passed' || status === 'warned';
}

function late<T>(timeout: number): Finding<T> {
  return {
    status: 'failed',
    summary: `no answer within ${timeout / 1_000} s`,
    fix: 'The server, or a proxy before it, accepts the request and does not answer. Allow it more with --timeout.',
    reason: 'unreachable',
  };
}

/** True for the errors that the client throws for options of the user, such as an unknown revision. */
export function isMisuse(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError;
}

/** Returns a text in one line of bounded length, without control characters: it may be text of a server. */
export function shortened(text: string, most: number = mostCharacters): string {
  const line = withoutControls(text.slice(0, 4 * most))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 3)}...` : line;
}

/** A finding without a problem. */
export function passed<T>(summary: string, rest: Omit<Finding<T>, 'status' | 'summary'> = {}): Finding<T> {
  return { status: 'passed', summary, ...rest };
}

/** A finding that needs attention, while the steps after it can go on. */
export function warned<T>(summary: string, rest: Omit<Finding<T>, 'status' | 'summary'>): Finding<T> {
  return { status: 'warned', summary, ...rest };
}

/** A finding that ends the steps that need it. */
export function failed(
  reason: FailureReason,
  summary: string,
  rest: Omit<Finding<never>, 'status' | 'summary' | 'reason'> = {},
): Finding<never> {
  return { status: 'failed', reason, summary, ...rest };
}
