// For tests in TypeScript: their tsconfig does not include this folder.
/** A program that tests start as other processes. */
export interface ChildProgram {
  /** A folder for the test. */
  readonly folder: string;
  start(...args: readonly string[]): Child;
  /** Ends all processes, and removes the folder. */
  end(): Promise<void>;
}

/** One process of the program. */
export interface Child {
  readonly pid: number;
  /** Returns the next line that it prints; undefined after the last one. */
  line(): Promise<string | undefined>;
  say(line: string): void;
  signal(signal: NodeJS.Signals): void;
  /** The exit status; null if a signal ended it. */
  readonly exit: Promise<number | null>;
}

export declare function childProgram(file: URL): Promise<ChildProgram>;
