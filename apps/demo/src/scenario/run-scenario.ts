import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { activitySteps } from './activity-steps.js';
import { type Column, revisionIds } from './columns.js';
import { connectionSteps } from './connection-steps.js';
import type { Expectations, RowName } from './expectations.js';
import { inTime } from './in-time.js';
import { promptSteps } from './prompt-steps.js';
import { questionSteps } from './question-steps.js';
import { resourceSteps } from './resource-steps.js';
import { setStage, strike } from './set-stage.js';
import type { Stage, Step } from './stage.js';
import { toolSteps } from './tool-steps.js';

/** One cell of the table. */
export interface Cell {
  readonly group: string;
  readonly row: string;
  readonly revision: string;
  readonly transport: string;
  readonly expected: string;
  readonly actual: string;
  readonly ok: boolean;
}

/** What to run, and who is told. */
export interface Run {
  readonly columns: readonly Column[];
  readonly expectations: Expectations;
  /** Told before each step. */
  readonly onStep: (column: Column, row: string) => void;
  /** Told with all cells of a column. */
  readonly onColumn: (column: Column, cells: readonly Cell[]) => void;
  readonly signal: AbortSignal;
}

const steps: Readonly<Record<RowName, Step>> = {
  ...connectionSteps,
  ...toolSteps,
  ...resourceSteps,
  ...promptSteps,
  ...questionSteps,
  ...activitySteps,
};

/** Milliseconds one step may take. */
const patience = 4_000;

/**
 * Plays the same steps in every column, one after the other. Nothing is left of it: no process, no file.
 * Rejects with the signal's reason when that aborts.
 */
export async function runScenario(run: Run): Promise<readonly Cell[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-demo-'));
  try {
    const cells: Cell[] = [];
    for (const [index, column] of run.columns.entries()) {
      run.signal.throwIfAborted();
      const filled = await fillColumn(run, column, join(folder, `${index}`));
      run.onColumn(column, filled);
      cells.push(...filled);
    }
    return cells;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillColumn(run: Run, column: Column, folder: string): Promise<readonly Cell[]> {
  const { signal, expectations } = run;
  const cells: Cell[] = [];
  let stage: Stage | string;
  try {
    stage = await setStage(column, folder, signal);
  } catch (error) {
    signal.throwIfAborted();
    stage = `not open: ${error}`;
  }
  try {
    for (const [group, rows] of Object.entries(expectations)) {
      for (const [row, value] of Object.entries(rows)) {
        run.onStep(column, row);
        const actual = typeof stage === 'string' ? stage : await play(steps[row as RowName], stage, signal);
        const expected = typeof value === 'string' ? value : value[revisionIds.indexOf(column.revision)];
        cells.push({
          group,
          row,
          revision: column.revision,
          transport: column.transport.name,
          expected: expected ?? 'nothing: the table has no value for this revision',
          actual,
          ok: actual === expected,
        });
      }
    }
    return cells;
  } finally {
    if (typeof stage !== 'string') await strike(stage);
  }
}

async function play(step: Step, stage: Stage, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  try {
    return await inTime(Promise.resolve(step(stage)), patience, signal);
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? `${error}` : `threw ${error}`;
  }
}
