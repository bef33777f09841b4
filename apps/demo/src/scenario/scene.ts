import type { Column } from './columns.js';
import type { Expectations } from './expectations.js';

/** What came of a step in a few characters, and, of a refusal, what was said to whoever was refused. */
export type Outcome = string | { readonly came: string; readonly told: string };

/** Steps that go together, what must come of them, and where they are played: one table. */
export interface Scene {
  /** Said beside a column, where there are others of the same name. */
  readonly title?: string;
  readonly expectations: Expectations;
  readonly columns: readonly PlayedColumn[];
  /** Characters of a cell that are shown; a wrong one is told in full elsewhere. */
  readonly widest: number;
}

/** A column, and how it is played. */
export interface PlayedColumn extends Column {
  /** Readies everything the steps need, in a folder of its own. */
  open(folder: string, signal: AbortSignal): Promise<OpenColumn>;
}

/** A column whose steps can be played, in the order of the rows. */
export interface OpenColumn {
  play(row: string): Outcome | Promise<Outcome>;
  /** Ends what was started. */
  close(): Promise<void>;
}

/** A step for each row, by what they are played on. */
export type StepsOn<Stage, Rows> = Readonly<Record<keyof Rows, (stage: Stage) => Outcome | Promise<Outcome>>>;

/** A column that is ready: its steps, what they are played on, and how that ends. */
export function openColumn<Stage>(
  steps: StepsOn<Stage, Readonly<Record<string, unknown>>>,
  stage: Stage,
  close: (stage: Stage) => Promise<void>,
): OpenColumn {
  return {
    play(row) {
      const step = steps[row];
      if (step === undefined) throw new TypeError(`There is no step for "${row}"`);
      return step(stage);
    },
    close: () => close(stage),
  };
}
