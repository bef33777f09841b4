import { otherThan, type Speaker } from '../connections/tapped-connection.js';
import { expectationProblem } from './expectations.js';
import { Likeness } from './likeness.js';
import { closes, lineOf, type RecordedConnection, type Step } from './transcript.js';

/** A session that differs from its recording; the message contains the line and the difference. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/** The actions of a playback on its connection. */
export interface Stage {
  send(frame: string): void;
  close(): void;
  /** Called once, when the session first differs from the recording. */
  diverged(error: ReplayError): void;
}

/** A difference between a recording and the session that was played. */
export interface Difference {
  /** `missing`: a recorded message did not arrive. `unexpected`: a message arrived that was not recorded. */
  readonly kind: 'different' | 'missing' | 'unexpected';
  /** Line in the file, from 1; absent for an unexpected message. */
  readonly line?: number;
  readonly from: Speaker;
  /** The recorded message; absent for an unexpected one. */
  readonly recorded?: unknown;
  /** The message that arrived; absent for a missing one. */
  readonly came?: unknown;
  /** The differing members in words, such as `result.isError is true, which was not recorded`. */
  readonly details: readonly string[];
}

/** Receives what arrives in a playback that goes on after differences. */
export interface Comparing {
  /** Called for each message; `updated` is the message as it belongs into the recording. */
  arrived(step: Step | undefined, updated: unknown): void;
  differs(difference: Difference): void;
}

/** A recording to play, and the comparison of its frames. */
export interface Script {
  /** File name of the recording, for messages. */
  readonly file: string;
  readonly steps: RecordedConnection;
  /** Names of members that are not compared. */
  readonly ignore: readonly string[];
  /** The end that is played. */
  readonly own: Speaker;
  /** Receives the differences, and makes the playback go on after them. Absent: the first difference ends the playback. */
  readonly comparing?: Comparing;
}

/**
 * Plays one end of a recorded connection: sends its frames in order, each after the earlier frames of the other end arrived.
 */
export class Playback {
  readonly #script: Script;
  readonly #stage: Stage;
  readonly #likeness: Likeness;
  /** Steps that arrived early. */
  readonly #received = new Set<Step>();
  #next = 0;
  /** All earlier steps of the other end have arrived. */
  #first = 0;
  #problem: ReplayError | undefined;

  constructor(script: Script, stage: Stage) {
    this.#script = script;
    this.#stage = stage;
    this.#likeness = new Likeness(script.ignore);
    for (const { line, from, message } of script.steps) {
      const problem = expectationProblem(message, from === script.own);
      if (problem !== undefined) throw new SyntaxError(`${script.file}, line ${line}: ${problem}`);
    }
  }

  /** The first recorded step of the other end that has not arrived. */
  get missing(): Step | undefined {
    const [first] = this.#expected();
    return first;
  }

  /** The first difference from the recording. */
  get problem(): ReplayError | undefined {
    return this.#problem;
  }

  /** Sends the frames before the first one of the other end. */
  begin(): void {
    this.#advance();
  }

  /** Handles a frame of the other end, which may arrive earlier than in the recording. */
  receive(message: unknown): void {
    if (this.#problem !== undefined) return;
    const from = otherThan(this.#script.own);
    for (const step of this.#expected()) {
      if (this.#likeness.differences(step.message, message, from).length > 0) continue;
      this.#arrive(step, message);
      return;
    }
    const expected = nearest([...this.#expected()], message);
    if (this.#script.comparing === undefined) this.#diverge(message, expected);
    else this.#differ(message, this.#script.comparing);
  }

  /** Goes on without a recorded message that did not arrive. @param why - appended to the details */
  skip(step: Step, why: string): void {
    const { from, line, message: recorded } = step;
    this.#script.comparing?.differs({ kind: 'missing', line, from, recorded, details: [why] });
    this.#received.add(step);
    this.#advance();
  }

  /** Returns the error for a recorded frame that did not arrive. */
  incomplete(step: Step): ReplayError {
    const line = lineOf(step.from, step.message).trimEnd();
    return new ReplayError(
      `${this.#script.file}, line ${step.line}: this recorded message did not arrive:\n  ${line}`,
    );
  }

  #arrive(step: Step, message: unknown): void {
    const from = otherThan(this.#script.own);
    this.#likeness.accept(step.message, message, from);
    this.#script.comparing?.arrived(step, this.#likeness.updated(step.message, message, from));
    this.#received.add(step);
    this.#advance();
  }

  /** Reports a message that differs from all recorded ones, and goes on. */
  #differ(came: unknown, comparing: Comparing): void {
    const from = otherThan(this.#script.own);
    const step = this.#counterpart(came);
    if (step === undefined) {
      comparing.differs({ kind: 'unexpected', from, came, details: [] });
      comparing.arrived(undefined, came);
      return;
    }
    const { line, message: recorded } = step;
    const details = this.#likeness.differences(recorded, came, from);
    comparing.differs({ kind: 'different', line, from, recorded, came, details });
    this.#arrive(step, came);
  }

  /** Returns the recorded message that a message replaces: the response to the same request, or the next one with the same method. */
  #counterpart(message: unknown): Step | undefined {
    const from = otherThan(this.#script.own);
    const method = methodOf(message);
    for (const step of this.#expected()) {
      const isSame =
        method === undefined
          ? this.#likeness.isAnswerLike(step.message, message, from)
          : methodOf(step.message) === method;
      if (isSame) return step;
    }
    return undefined;
  }

  *#expected(): Iterable<Step> {
    const { own, steps, comparing } = this.#script;
    // A comparison goes on without a missing notification, which may still arrive.
    for (let index = comparing === undefined ? this.#next : this.#earliest(); index < steps.length; index++) {
      const step = steps[index] as Step;
      if (step.from !== own && step.message !== closes && !this.#received.has(step)) yield step;
    }
  }

  #advance(): void {
    const { own, steps } = this.#script;
    for (let step = steps[this.#next]; step !== undefined; step = steps[this.#next]) {
      if (step.from === own) {
        if (step.message === closes && this.#script.comparing && this.#isMissingBefore(step)) return;
        this.#next++;
        this.#say(step);
      } else if (this.#received.has(step) || step.message === closes || this.#mayComeLater(step))
        this.#next++;
      else return;
    }
  }

  /** Returns the index of the first step that may not have arrived. */
  #earliest(): number {
    const { own, steps } = this.#script;
    for (let step = steps[this.#first]; step !== undefined; step = steps[this.#first]) {
      if (step.from !== own && step.message !== closes && !this.#received.has(step)) break;
      this.#first++;
    }
    return this.#first;
  }

  #mayComeLater({ message }: Step): boolean {
    return this.#script.comparing !== undefined && methodOf(message) !== undefined && !hasId(message);
  }

  #isMissingBefore(step: Step): boolean {
    const { missing } = this;
    return missing !== undefined && missing.line < step.line;
  }

  #say({ from, message }: Step): void {
    if (message === closes) this.#stage.close();
    else this.#stage.send(JSON.stringify(this.#likeness.filled(message, from)));
  }

  #diverge(message: unknown, expected: Step | undefined): void {
    const from = otherThan(this.#script.own);
    const came = lineOf(from, message).trimEnd();
    const lines =
      expected === undefined
        ? [`${this.#script.file}: this message arrived after the last recorded one:`, `  ${came}`]
        : [
            `${this.#script.file}, line ${expected.line}: the session differs from the recording.`,
            `  recorded  ${lineOf(from, expected.message).trimEnd()}`,
            `  came      ${came}`,
            ...this.#likeness.differences(expected.message, message, from).map((one) => `  - ${one}`),
          ];
    this.#problem = new ReplayError(lines.join('\n'));
    this.#stage.diverged(this.#problem);
  }
}

function hasId(message: unknown): boolean {
  return (message as { id?: unknown } | null)?.id !== undefined;
}

function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | null)?.method;
}

/** Returns the step a frame most likely corresponds to: the next of the same method, or the next. */
function nearest(expected: readonly Step[], message: unknown): Step | undefined {
  return expected.find((step) => methodOf(step.message) === methodOf(message)) ?? expected[0];
}
