import type { Wanted } from './command-line.js';
import { type LiveProgress, plainLines, silent, singleLine } from './output/live-progress.js';
import { isTerminal, paintFor, type Screen } from './output/paint.js';
import { jsonOf, mistakesIn, summaryOf } from './output/report.js';
import { tableOf } from './output/table.js';
import { columnsOf } from './scenario/columns.js';
import type { Expectations } from './scenario/expectations.js';
import { runScenario } from './scenario/run-scenario.js';
import type { Transport } from './scenario/transports.js';

/** What the demo runs with. */
export interface Surroundings {
  readonly transports: readonly Transport[];
  readonly expectations: Expectations;
  readonly screen: Screen;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Columns of a pipe or file. */
const usualWidth = 120;

/**
 * Runs the demo and prints what came of it.
 * @returns the exit code: 0 when every cell is right, else 1. Rejects with the signal's reason when that aborts.
 */
export async function demo(wanted: Wanted, surroundings: Surroundings): Promise<number> {
  const { expectations, screen, environment, signal } = surroundings;
  const transports = surroundings.transports.filter(({ name }) => wanted.transports.includes(name));
  const columns = columnsOf(wanted.revisions, transports);
  const rows = Object.values(expectations).flatMap((group) => Object.keys(group)).length;
  const began = performance.now();
  const live = wanted.json ? silent : liveProgress(surroundings, columns.length * rows);
  try {
    const cells = await runScenario({
      columns,
      expectations,
      onStep: (column, row) => live.step(column, row),
      onColumn: (column, filled) => live.column(column, filled),
      signal,
    });
    live.end();
    const seconds = (performance.now() - began) / 1_000;
    if (wanted.json) {
      screen.write(jsonOf(cells, seconds));
    } else {
      const paint = paintFor(screen, environment);
      const table = tableOf(cells, screen.columns ?? usualWidth, paint);
      const parts = [table, mistakesIn(cells, paint), summaryOf(cells, seconds, paint)];
      screen.write(parts.filter((part) => part !== '').join('\n'));
    }
    return cells.every(({ ok }) => ok) ? 0 : 1;
  } catch (error) {
    live.end();
    throw error;
  }
}

function liveProgress({ screen, environment }: Surroundings, total: number): LiveProgress {
  return isTerminal(screen, environment)
    ? singleLine(screen, total)
    : plainLines(screen, () => performance.now());
}
