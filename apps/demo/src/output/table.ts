import type { Cell } from '../scenario/run-scenario.js';
import type { Paint } from './paint.js';

/** The separator between columns. */
export const between = ' │ ';

/** The format of a table. */
export interface TableStyle {
  /** Characters per line. */
  readonly width: number;
  /** Most characters of a cell; a wrong cell is printed in full below the table. */
  readonly widest: number;
  readonly paint: Paint;
}

interface Line {
  readonly label: string;
  /** By column; empty for the heading of a group. */
  readonly cells: readonly ShownCell[];
}

interface ShownCell extends Cell {
  readonly text: string;
}

interface Block {
  readonly revision: string;
  readonly columns: readonly Column[];
  readonly width: number;
}

interface Column {
  readonly index: number;
  readonly transport: string;
  readonly width: number;
}

/** Returns the table as lines. Revisions that do not fit side by side are printed below each other. */
export function tableOf(cells: readonly Cell[], style: TableStyle): string {
  const { width, widest, paint } = style;
  const lines = linesOf(cells, widest);
  const labels = Math.max(...lines.map(({ label }) => label.length));
  const parts = fold(blocksOf(lines), width - labels);
  return parts.map((blocks) => part(lines, blocks, { labels, paint })).join('\n');
}

function linesOf(cells: readonly Cell[], widest: number): readonly Line[] {
  const groups = new Map<string, Map<string, Cell[]>>();
  for (const cell of cells) {
    const rows = groups.get(cell.group) ?? new Map<string, Cell[]>();
    rows.set(cell.row, [...(rows.get(cell.row) ?? []), cell]);
    groups.set(cell.group, rows);
  }
  return [...groups].flatMap(([group, rows]) => [
    { label: group, cells: [] },
    ...[...rows].map(([row, cells]) => ({
      label: `  ${row}`,
      cells: cells.map((cell) => ({ ...cell, text: shownOf(cell, widest) })),
    })),
  ]);
}

function blocksOf(lines: readonly Line[]): readonly Block[] {
  const first = lines.find(({ cells }) => cells.length > 0)?.cells ?? [];
  return [...new Set(first.map(({ revision }) => revision))].map((revision) => {
    const columns = first.flatMap((cell, index) => {
      if (cell.revision !== revision) return [];
      const shown = lines.flatMap(({ cells }) => cells[index]?.text.length ?? []);
      return [{ index, transport: cell.transport, width: Math.max(cell.transport.length, ...shown) }];
    });
    const inner = columns.reduce((sum, column) => sum + column.width + 1, -1);
    return { revision, columns, width: Math.max(inner, revision.length) };
  });
}

/** Returns groups of blocks that fit side by side, at least one block each. */
function fold(blocks: readonly Block[], width: number): readonly (readonly Block[])[] {
  const parts: Block[][] = [];
  let left = 0;
  for (const block of blocks) {
    const needed = between.length + block.width;
    if (parts.length === 0 || left < needed) {
      parts.push([]);
      left = width;
    }
    parts.at(-1)?.push(block);
    left -= needed;
  }
  return parts;
}

function part(
  lines: readonly Line[],
  blocks: readonly Block[],
  { labels, paint }: { labels: number; paint: Paint },
): string {
  const row = (label: string, texts: readonly string[]) =>
    `${[label, ...texts].join(paint.dim(between)).trimEnd()}\n`;
  const blank = ''.padEnd(labels);
  const revisions = blocks.map(({ revision, width }) => paint.bold(revision.padEnd(width)));
  const transports = blocks.map(({ columns, width }) =>
    paint.dim(
      columns
        .map((column) => column.transport.padEnd(column.width))
        .join(' ')
        .padEnd(width),
    ),
  );
  const body = lines.map(({ label, cells }) => {
    if (cells.length === 0) return `${paint.bold(label)}\n`;
    const texts = blocks.map(({ columns, width }) => {
      const shown = columns.map(({ index, width }) => painted(cells[index], width, paint)).join(' ');
      const used = columns.reduce((sum, column) => sum + column.width + 1, -1);
      return shown + ''.padEnd(width - used);
    });
    return row(label.padEnd(labels), texts);
  });
  return [row(blank, revisions), row(blank, transports), ...body].join('');
}

function painted(cell: ShownCell | undefined, width: number, paint: Paint): string {
  if (cell === undefined) return ''.padEnd(width);
  const text = cell.text.padEnd(width);
  if (!cell.ok) return paint.bad(text);
  return text.startsWith('–') ? paint.dim(text) : paint.good(text);
}

function shownOf({ actual, ok }: Cell, widest: number): string {
  if (!ok) return `✗ ${actual}`.slice(0, widest);
  return actual.startsWith('–') ? '–' : actual.slice(0, widest);
}
