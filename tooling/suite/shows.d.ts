// For tests in TypeScript: their projects do not contain this folder.
export declare function shows(...ids: readonly string[]): void;
export declare function showsBy(
  key: unknown,
  ids: Readonly<Record<string, string | readonly string[]>>,
): void;
