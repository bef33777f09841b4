/** A row of the limits page: option names, and their defaults in the same order. */
export interface OptionsRow {
  readonly names: readonly string[];
  readonly defaults: readonly number[];
  readonly line: string;
}

/**
 * Returns the rows of a section with option names in their first cell: `` `a`, `b` ``, or `` `owner`: `a`, `b` ``. Other rows
 * describe something else.
 */
export function optionsRows(page: string, section: string): OptionsRow[] {
  const rows: OptionsRow[] = [];
  for (const line of linesOf(page, section)) {
    const [, first = '', second = ''] = line.split('|').map((cell) => cell.trim());
    const names = namesIn(first);
    if (names.length > 0) rows.push({ names, defaults: numbersIn(second), line });
  }
  return rows;
}

/** Returns the headings of the page without the first one. */
export function sectionsOf(page: string): string[] {
  return [...page.matchAll(/^##+ (.*)$/gm)].map(([, title = '']) => title);
}

function linesOf(page: string, section: string): string[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith('##') && line.replace(/^#+ /, '') === section);
  if (start < 0) return [];
  const end = lines.findIndex((line, index) => index > start && line.startsWith('##'));
  return lines.slice(start + 1, end < 0 ? undefined : end).filter((line) => line.startsWith('| '));
}

function namesIn(cell: string): string[] {
  const named = /^(?:`(\w+)`: )?(`[\w.]+`(?:, `[\w.]+`)*)/.exec(cell);
  const [, owner, list = ''] = named ?? [];
  const names = [...list.matchAll(/[\w.]+/g)].map(([name]) => name);
  return owner === undefined ? names : names.map((name) => `${owner}: ${name}`);
}

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  days: 86_400_000,
  Ki: 2 ** 10,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  Mi: 2 ** 20,
  GiB: 2 ** 30,
};

/** Returns the numbers of a cell, in milliseconds, bytes or items; "as long" and "as many" repeat the one before. */
function numbersIn(cell: string): number[] {
  const numbers: number[] = [];
  for (const [, digits, unit = ''] of cell.matchAll(
    /(\d{1,3}(?:,\d{3})+|\d+)(?: ([A-Za-z]+))?|as long|as many/g,
  )) {
    if (digits === undefined) numbers.push(numbers.at(-1) ?? Number.NaN);
    else numbers.push(Number(digits.replaceAll(',', '')) * (units[unit] ?? 1));
  }
  return numbers;
}
