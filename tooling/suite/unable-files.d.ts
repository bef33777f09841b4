// For vitest.config.ts: its tsconfig does not include this folder.
export interface Unable {
  readonly program: string;
  readonly install: string;
  readonly files: readonly string[];
}
export declare const isStrict: boolean;
export declare function unableFiles(): readonly Unable[];

export declare function filesThatNeed(
  keys: readonly ('redis' | 'postgres' | 'chromium')[],
): readonly string[];
