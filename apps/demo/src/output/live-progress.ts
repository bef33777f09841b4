import type { Column } from '../scenario/columns.js';
import type { Cell } from '../scenario/run-scenario.js';
import type { Screen } from './paint.js';

/** Shows the progress of the demo. */
export interface LiveProgress {
  /** @param title - of the table, if there are several. */
  step(column: Column, title: string, row: string): void;
  column(column: Column, title: string, cells: readonly Cell[]): void;
  /** Clears the progress line. */
  end(): void;
}

/** One line that is overwritten, for a terminal. @param total - number of cells. */
export function singleLine(screen: Screen, total: number): LiveProgress {
  let done = 0;
  const clear = '\r\u001b[2K';
  return {
    step(column, title, row) {
      const filled = Math.floor((20 * done) / total);
      const bar = '█'.repeat(filled) + '░'.repeat(20 - filled);
      const line = `${bar} ${done++}/${total}  ${nameOf(column, title)}  ${row}`;
      // A line that wraps could not be overwritten.
      screen.write(clear + line.slice(0, (screen.columns ?? 80) - 1));
    },
    column() {},
    end: () => screen.write(clear),
  };
}

/** A line for each column, for pipes and files. */
export function plainLines(screen: Screen, now: () => number): LiveProgress {
  let began = now();
  return {
    step() {},
    column(column, title, cells) {
      const right = cells.filter(({ ok }) => ok).length;
      const seconds = ((now() - began) / 1_000).toFixed(1);
      screen.write(`${nameOf(column, title)}: ${right} of ${cells.length} right in ${seconds} s\n`);
      began = now();
    },
    end: () => screen.write('\n'),
  };
}

function nameOf({ revision, transport }: Column, title: string): string {
  return `${revision} ${transport} ${title}`.trimEnd();
}

/** No output. */
export const silent: LiveProgress = { step() {}, column() {}, end() {} };
