import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Column } from './columns.js';
import { expectedIn } from './expectations.js';
import { inTime } from './in-time.js';
import type { OpenColumn, Outcome, PlayedColumn, Scene } from './scene.js';

/** One cell of a table. */
export interface Cell {
  readonly group: string;
  readonly row: string;
  readonly revision: string;
  readonly transport: string;
  readonly expected: string;
  readonly actual: string;
  readonly ok: boolean;
  /** The error message of a refusal. */
  readonly message?: string;
}

/** The table to run, and the callbacks. */
export interface Run {
  readonly scene: Scene;
  /** Called before each step. */
  readonly onStep: (column: Column, row: string) => void;
  /** Called with all cells of a column. */
  readonly onColumn: (column: Column, cells: readonly Cell[]) => void;
  readonly signal: AbortSignal;
}

/** Milliseconds that a step may take. */
const patience = 4_000;

/**
 * Runs the steps of a table in every column, one after the other. Leaves no process and no file behind.
 * Rejects with the signal's reason when it aborts.
 */
export async function runScenario(run: Run): Promise<readonly Cell[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-demo-'));
  try {
    const cells: Cell[] = [];
    for (const [index, column] of run.scene.columns.entries()) {
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

async function fillColumn(run: Run, column: PlayedColumn, folder: string): Promise<readonly Cell[]> {
  const { scene, signal } = run;
  const { revision, transport } = column;
  const cells: Cell[] = [];
  let opened: OpenColumn | string;
  try {
    opened = await column.open(folder, signal);
  } catch (error) {
    signal.throwIfAborted();
    opened = `not open: ${error}`;
  }
  try {
    for (const [group, rows] of Object.entries(scene.expectations)) {
      for (const [row, value] of Object.entries(rows)) {
        run.onStep(column, row);
        const outcome = typeof opened === 'string' ? opened : await play(opened, row, signal);
        const { actual, message } = typeof outcome === 'string' ? { actual: outcome } : outcome;
        const expected = expectedIn(value, column);
        cells.push({
          group,
          row,
          revision,
          transport,
          expected: expected ?? 'nothing: the table has no value for this revision',
          actual,
          ok: actual === expected,
          ...(message !== undefined && { message }),
        });
      }
    }
    return cells;
  } finally {
    if (typeof opened !== 'string') await opened.close();
  }
}

async function play(opened: OpenColumn, row: string, signal: AbortSignal): Promise<Outcome> {
  signal.throwIfAborted();
  try {
    return await inTime(Promise.resolve(opened.play(row)), patience, signal);
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? `${error}` : `threw ${error}`;
  }
}
