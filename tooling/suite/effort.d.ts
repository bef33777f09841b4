// For tests in TypeScript: their projects do not contain this folder.
export declare function takesAtMost(
  times: number,
  work: () => unknown,
  reference: () => unknown,
): Promise<void>;
export declare function growsInProportion(size: number, work: (size: number) => unknown): Promise<void>;
