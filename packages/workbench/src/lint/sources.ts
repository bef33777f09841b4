import type { LintPlace } from './rule.js';

/** A place in a source file; lines begin at 1. */
export interface DefinitionPlace {
  readonly file: string;
  readonly line: number;
}

/**
 * Returns a function that finds the line of a file that defines an entry: the first one with its name as a string. Without such
 * a line it returns the first line.
 */
export function sourceFinder(file: string, text: string): (place: LintPlace) => DefinitionPlace {
  const lines = text.split('\n');
  const known = new Map<string, number>();
  return ({ name }) => {
    let line = known.get(name);
    if (line === undefined) {
      const literals = ["'", '"', '`'].map((quote) => `${quote}${name}${quote}`);
      const found =
        name === '' ? -1 : lines.findIndex((one) => literals.some((literal) => one.includes(literal)));
      line = found === -1 ? 1 : found + 1;
      known.set(name, line);
    }
    return { file, line };
  };
}
