import { otherThan, type Speaker } from '../tapped-connection.js';
import { Likeness } from './likeness.js';
import { closes, lineOf, type RecordedConnection, type Step } from './transcript.js';

/** A conversation that did not go as it was recorded; the message says where and how. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/** What a playback does to the connection it plays on. */
export interface Stage {
  send(frame: string): void;
  close(): void;
  /** Told once, when the conversation goes another way than the recorded one. */
  diverged(error: ReplayError): void;
}

/** How frames are told apart. */
export interface Script {
  /** The recording, for messages. */
  readonly file: string;
  readonly steps: RecordedConnection;
  /** Names of members that are not compared. */
  readonly ignore: readonly string[];
  /** Which end is played. */
  readonly own: Speaker;
}

/** Plays one end of one recorded connection: says what it said, once what came before was heard. */
export class Playback {
  readonly #script: Script;
  readonly #stage: Stage;
  readonly #likeness: Likeness;
  /** Steps heard ahead of their turn. */
  readonly #heard = new Set<Step>();
  #next = 0;
  #flaw: ReplayError | undefined;

  constructor(script: Script, stage: Stage) {
    this.#script = script;
    this.#stage = stage;
    this.#likeness = new Likeness(script.ignore);
  }

  /** The first step that was recorded of the other end and has not come. */
  get missing(): Step | undefined {
    const [first] = this.#expected();
    return first;
  }

  /** Where the conversation went another way. */
  get flaw(): ReplayError | undefined {
    return this.#flaw;
  }

  /** Says what comes before anything is to be heard. */
  begin(): void {
    this.#advance();
  }

  /** Takes a frame of the other end, which may come earlier than it was recorded. */
  hear(message: unknown): void {
    if (this.#flaw !== undefined) return;
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

  /** The recorded frame that did not come, as an error. */
  incomplete(step: Step): ReplayError {
    const line = lineOf(step.from, step.message).trimEnd();
    return new ReplayError(
      `${this.#script.file}, line ${step.line}: this was recorded and did not come:\n  ${line}`,
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
    const told =
      expected === undefined
        ? [`${this.#script.file}: this came, and nothing more was recorded:`, `  ${came}`]
        : [
            `${this.#script.file}, line ${expected.line}: the conversation goes another way.`,
            `  recorded  ${lineOf(from, expected.message).trimEnd()}`,
            `  came      ${came}`,
            ...this.#likeness.differences(expected.message, message, from).map((one) => `  - ${one}`),
          ];
    this.#flaw = new ReplayError(told.join('\n'));
    this.#stage.diverged(this.#flaw);
  }
}

/** The step a frame was most likely meant to be: the next of the same method, or the next. */
function nearest(expected: readonly Step[], message: unknown): Step | undefined {
  const methodOf = (value: unknown) => (value as { method?: unknown } | null)?.method;
  return expected.find((step) => methodOf(step.message) === methodOf(message)) ?? expected[0];
}
