import type { Arguments } from './command-line.js';
import { type LiveProgress, plainLines, silent, singleLine } from './output/live-progress.js';
import { isTerminal, paintFor, type Screen } from './output/paint.js';
import { jsonOf, mistakesIn, refusalsIn, summaryOf } from './output/report.js';
import { tableOf } from './output/table.js';
import { type Cell, runScenario } from './scenario/run-scenario.js';
import type { Scene } from './scenario/scene.js';

/** The tables to run, and the environment. */
export interface DemoSetting {
  readonly scenes: readonly Scene[];
  readonly screen: Screen;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Returns a trace to print below the tables. */
  readonly trace?: () => Promise<string>;
}

/** Width for a pipe or file, in characters. */
const usualWidth = 120;

/**
 * Runs the demo and prints its tables.
 * @returns the exit code: 0 if every cell is right, else 1. Rejects with the signal's reason when it aborts.
 */
export async function demo(args: Arguments, setting: DemoSetting): Promise<number> {
  const { screen, environment, signal } = setting;
  const scenes = setting.scenes.flatMap((scene) => narrowed(scene, args));
  const began = performance.now();
  const total = scenes.reduce((sum, scene) => sum + cellsOf(scene), 0);
  const live = args.json ? silent : liveProgress(setting, total);
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
    if (args.json) {
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
        (await setting.trace?.()) ?? '',
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

/** Returns the scene with the chosen columns; an empty list without columns. */
function narrowed(scene: Scene, { revisions, transports }: Arguments): readonly Scene[] {
  const columns = scene.columns.filter(
    ({ revision, transport }) => revisions.includes(revision) && transports.includes(transport),
  );
  return columns.length === 0 ? [] : [{ ...scene, columns }];
}

function cellsOf({ columns, expectations }: Scene): number {
  return columns.length * Object.values(expectations).flatMap((group) => Object.keys(group)).length;
}

function liveProgress({ screen, environment }: DemoSetting, total: number): LiveProgress {
  return isTerminal(screen, environment)
    ? singleLine(screen, total)
    : plainLines(screen, () => performance.now());
}
