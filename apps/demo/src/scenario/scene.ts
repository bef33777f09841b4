import type { Column } from './columns.js';
import type { Expectations } from './expectations.js';

/** The result of a step in a few characters and, for a refusal, the error message. */
export type Outcome = string | { readonly actual: string; readonly message: string };

/** One table: its steps, expected values and columns. */
export interface Scene {
  /** Printed beside a column if several tables have a column of that name. */
  readonly title?: string;
  readonly expectations: Expectations;
  readonly columns: readonly PlayedColumn[];
  /** Most characters of a cell; a wrong cell is printed in full below the table. */
  readonly widest: number;
}

/** A column that can be opened. */
export interface PlayedColumn extends Column {
  /** Starts everything that the steps need, with a folder of its own. */
  open(folder: string, signal: AbortSignal): Promise<OpenColumn>;
}

/** An open column. Its steps run in the order of the rows. */
export interface OpenColumn {
  play(row: string): Outcome | Promise<Outcome>;
  /** Ends everything that was started. */
  close(): Promise<void>;
}

/** A step for each row. */
export type StepsOn<Stage, Rows> = Readonly<Record<keyof Rows, (stage: Stage) => Outcome | Promise<Outcome>>>;

/** Returns an open column: its steps, their stage, and the function that closes the stage. */
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
