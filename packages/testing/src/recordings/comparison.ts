import type { Comparing, Difference } from './playback.js';
import { withoutSecrets } from './redaction.js';
import { lineOf, type Step } from './transcript.js';

/** The outcome of playing the client of a recording to a server, to the end. */
export interface Comparison {
  /** All differences, in the order in which they were found; empty if the server answers as recorded. */
  readonly differences: readonly Difference[];
  /** The number of compared messages. */
  readonly compared: number;
  /** Returns the text of the recording with the messages of this server. Ids, redacted values and expectations that hold stay as they are. */
  updated(): string;
}

/** A change of the lines of a recording. */
interface Edit {
  /** The first line to replace, from 1; lines are inserted before it. */
  readonly line: number;
  readonly removed: number;
  readonly inserted: string;
}

/** Collects the differences of several connections, and the changes of the file. */
export class ComparisonBuilder {
  readonly #text: string;
  readonly #differences: Difference[] = [];
  readonly #edits: Edit[] = [];
  #compared = 0;

  /** @param text - the recording */
  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the observer of one connection. @param first - its first step */
  comparing(first: Step | undefined): Comparing {
    let after = (first?.line ?? 1) - 1;
    return {
      arrived: (step, updated) => {
        this.#compared++;
        const from = step?.from ?? 'server';
        const inserted = lineOf(from, withoutSecrets(updated));
        if (step === undefined) this.#edits.push({ line: after + 1, removed: 0, inserted });
        else {
          if (JSON.stringify(updated) !== JSON.stringify(step.message))
            this.#edits.push({ line: step.line, removed: step.lines, inserted });
          after = Math.max(after, step.line + step.lines - 1);
        }
      },
      differs: (difference) => {
        this.#differences.push(difference);
      },
    };
  }

  /** Removes a step that did not arrive from the updated recording. */
  remove({ line, lines }: Step): void {
    this.#edits.push({ line, removed: lines, inserted: '' });
  }

  build(): Comparison {
    return {
      differences: this.#differences,
      compared: this.#compared,
      updated: () => this.#edited(),
    };
  }

  #edited(): string {
    const rows = this.#text.split('\n');
    // From the end, so that the earlier line numbers stay valid.
    const edits = [...this.#edits].sort((a, b) => b.line - a.line || b.removed - a.removed);
    for (const { line, removed, inserted } of edits)
      rows.splice(line - 1, removed, ...(inserted === '' ? [] : inserted.trimEnd().split('\n')));
    return rows.join('\n');
  }
}
