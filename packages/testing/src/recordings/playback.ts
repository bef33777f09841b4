import { otherThan, type Speaker } from '../connections/tapped-connection.js';
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

/** A recording to play, and the comparison of its frames. */
export interface Script {
  /** File name of the recording, for messages. */
  readonly file: string;
  readonly steps: RecordedConnection;
  /** Names of members that are not compared. */
  readonly ignore: readonly string[];
  /** The end that is played. */
  readonly own: Speaker;
}

/**
 * Plays one end of a recorded connection: sends its frames in order, each after the earlier frames of the other end arrived.
 */
export class Playback {
  readonly #script: Script;
  readonly #stage: Stage;
  readonly #likeness: Likeness;
  /** Steps that arrived early. */
  readonly #heard = new Set<Step>();
  #next = 0;
  #problem: ReplayError | undefined;

  constructor(script: Script, stage: Stage) {
    this.#script = script;
    this.#stage = stage;
    this.#likeness = new Likeness(script.ignore);
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
      this.#likeness.accept(step.message, message, from);
      this.#heard.add(step);
      this.#advance();
      return;
    }
    this.#diverge(message, nearest([...this.#expected()], message));
  }

  /** Returns the error for a recorded frame that did not arrive. */
  incomplete(step: Step): ReplayError {
    const line = lineOf(step.from, step.message).trimEnd();
    return new ReplayError(
      `${this.#script.file}, line ${step.line}: this recorded message did not arrive:\n  ${line}`,
    );
  }

  *#expected(): Iterable<Step> {
    const { own, steps } = this.#script;
    for (let index = this.#next; index < steps.length; index++) {
      const step = steps[index] as Step;
      if (step.from !== own && step.message !== closes && !this.#heard.has(step)) yield step;
    }
  }

  #advance(): void {
    const { own, steps } = this.#script;
    for (let step = steps[this.#next]; step !== undefined; step = steps[this.#next]) {
      if (step.from === own) {
        this.#next++;
        this.#say(step);
      } else if (this.#heard.has(step) || step.message === closes) this.#next++;
      else return;
    }
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

/** Returns the step a frame most likely corresponds to: the next of the same method, or the next. */
function nearest(expected: readonly Step[], message: unknown): Step | undefined {
  const methodOf = (value: unknown) => (value as { method?: unknown } | null)?.method;
  return expected.find((step) => methodOf(step.message) === methodOf(message)) ?? expected[0];
}
