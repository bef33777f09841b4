/** The syntax of a configuration file. JSON may have comments and trailing commas. */
export type FileFormat = 'json' | 'toml' | 'yaml';

/** The text of a configuration file is wrong. */
export class SyntaxProblem extends Error {
  override readonly name: string = 'SyntaxProblem';
  /** Counted from 1. */
  readonly line: number;

  constructor(message: string, { line = 1, cause }: { line?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.line = line;
  }
}

/** A change of one member: its path, and the new value, or undefined to remove it. */
export interface MemberChange {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Reads and changes the text of configuration files in one format. */
export interface ConfigSyntax {
  /** @throws SyntaxProblem */
  parse(text: string): unknown;
  /**
   * Sets or removes a member, and leaves everything else as it is. The caller checks the result.
   * @throws SyntaxProblem if the text is wrong, or written in a way that this program does not change.
   */
  change(text: string, change: MemberChange): string;
}

/** Returns the line of an offset, counted from 1. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Returns the value of a member of nested objects; undefined if it is missing. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  let current: unknown = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}

/** Returns the line end that a text uses. */
export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns an object with a value at the end of a path. */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((content, name) => ({ [name]: content }), value);
}
