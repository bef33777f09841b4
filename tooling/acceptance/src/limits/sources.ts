import { readdirSync, readFileSync } from 'node:fs';

const packages = new URL('../../../../packages/', import.meta.url);

/** An interface with numeric options. */
export interface Found {
  /** Package, file and name, such as `session/limits.ts SessionLimits`. */
  readonly place: string;
  readonly members: readonly string[];
}

/** Returns every exported interface for options, limits, rates, timeouts and policies with numeric members. */
export function numericOptions(): Found[] {
  const found: Found[] = [];
  for (const file of sources()) {
    const text = readFileSync(new URL(file, packages), 'utf8');
    const interfaces =
      /^export interface (\w+(?:Options|Limits|Policy|Waits|Bounds|Plan|Faults|Limit|Rate))\b/gm;
    for (const { 1: name, index } of text.matchAll(interfaces)) {
      const open = text.indexOf('{\n', index);
      const body = text.slice(open, text.indexOf('\n}', open));
      const members = [...body.matchAll(/^ {2}readonly (\w+)\??: ([^;]+);$/gm)]
        .filter(([, , type = '']) => /\bnumber\b/.test(type) && !type.includes('=>'))
        .map(([, member = '']) => member);
      if (members.length > 0) found.push({ place: `${file.replace('/src/', '/')} ${name}`, members });
    }
  }
  return found;
}

/**
 * Returns the default of a name in a source file, as in `name = 4 * 1_024`, `name: 5` or `name ?? 6`, or through a constant
 * of the same file.
 */
export function defaultIn(file: string, name: string): number | undefined {
  const text = readFileSync(new URL(file, packages), 'utf8');
  const given = new RegExp(
    `(?<![#\\w])${name}(?::| =| \\?\\?) (\\d[\\d_]*(?: (?:\\*|<<|\\*\\*) \\d[\\d_]*)*|[a-z]\\w*)[,;) ]`,
    'g',
  );
  for (const [, value = ''] of text.matchAll(given)) {
    if (/^\d/.test(value)) return product(value);
    const constant = new RegExp(`^const ${value} = (\\d[^;]*);`, 'm').exec(text)?.[1];
    if (constant !== undefined) return product(constant);
  }
  return undefined;
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  '*': (left, right) => left * right,
  '<<': (left, right) => left * 2 ** right,
  '**': (left, right) => left ** right,
};

function product(text: string): number {
  const [first = '', ...rest] = text.replaceAll('_', '').split(' ');
  let value = Number(first);
  for (let at = 0; at < rest.length; at += 2) {
    value = operations[rest[at] ?? '']?.(value, Number(rest[at + 1])) ?? Number.NaN;
  }
  return value;
}

function sources(): string[] {
  return readdirSync(packages)
    .flatMap((name) =>
      readdirSync(new URL(`${name}/src/`, packages), { recursive: true }).map(
        (file) => `${name}/src/${file}`,
      ),
    )
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|test-d)\.ts$/.test(file))
    .sort();
}
