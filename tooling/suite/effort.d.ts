// For tests in TypeScript: their tsconfig does not include this folder.
export declare function takesAtMost(
  times: number,
  work: () => unknown,
  reference: () => unknown,
): Promise<void>;
export declare function growsInProportion(size: number, work: (size: number) => unknown): Promise<void>;
