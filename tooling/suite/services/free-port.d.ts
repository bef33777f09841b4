// For tests in TypeScript: their tsconfig does not include this folder.
export declare function freePort(): Promise<number>;
