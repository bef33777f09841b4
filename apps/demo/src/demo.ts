import type { Wanted } from './command-line.js';
import { type LiveProgress, plainLines, silent, singleLine } from './output/live-progress.js';
import { isTerminal, paintFor, type Screen } from './output/paint.js';
import { jsonOf, mistakesIn, refusalsIn, summaryOf } from './output/report.js';
import { tableOf } from './output/table.js';
import { type Cell, runScenario } from './scenario/run-scenario.js';
import type { Scene } from './scenario/scene.js';

/** What the demo runs with. */
export interface Surroundings {
  readonly scenes: readonly Scene[];
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
  const { screen, environment, signal } = surroundings;
  const scenes = surroundings.scenes.flatMap((scene) => narrowed(scene, wanted));
  const began = performance.now();
  const total = scenes.reduce((sum, scene) => sum + cellsOf(scene), 0);
  const live = wanted.json ? silent : liveProgress(surroundings, total);
  try {
    const filled: (readonly Cell[])[] = [];
    for (const scene of scenes) {
      const { title = '' } = scene;
      const cells = await runScenario({
        scene,
        onStep: (column, row) => live.step(column, title, row),
        onColumn: (column, cells) => live.column(column, title, cells),
        signal,
      });
      filled.push(cells);
    }
    live.end();
    const seconds = (performance.now() - began) / 1_000;
    const cells = filled.flat();
    if (wanted.json) {
      screen.write(jsonOf(cells, seconds));
    } else {
      const paint = paintFor(screen, environment);
      const width = screen.columns ?? usualWidth;
      const tables = scenes.map(({ widest }, index) =>
        tableOf(filled[index] ?? [], { width, widest, paint }),
      );
      const below = [
        refusalsIn(cells, width, paint),
        mistakesIn(cells, paint),
        summaryOf(filled, seconds, paint),
      ];
      screen.write([...tables, ...below].filter((part) => part !== '').join('\n'));
    }
    return cells.every(({ ok }) => ok) ? 0 : 1;
  } catch (error) {
    live.end();
    throw error;
  }
}

/** What is wanted of a scene; nothing where that is no column. */
function narrowed(scene: Scene, { revisions, transports }: Wanted): readonly Scene[] {
  const columns = scene.columns.filter(
    ({ revision, transport }) => revisions.includes(revision) && transports.includes(transport),
  );
  return columns.length === 0 ? [] : [{ ...scene, columns }];
}

function cellsOf({ columns, expectations }: Scene): number {
  return columns.length * Object.values(expectations).flatMap((group) => Object.keys(group)).length;
}

function liveProgress({ screen, environment }: Surroundings, total: number): LiveProgress {
  return isTerminal(screen, environment)
    ? singleLine(screen, total)
    : plainLines(screen, () => performance.now());
}
