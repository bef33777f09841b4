/** The code of input requests, in a separate file: servers with clients that cannot answer them never load it. */
export type RunCode = typeof import('./run-code.js');

let loaded: RunCode | undefined;

/** Returns the code if it is loaded. */
export function loadedRunCode(): RunCode | undefined {
  return loaded;
}

/** Loads the code; the same module each time. */
export async function loadRunCode(): Promise<RunCode> {
  loaded ??= await import('./run-code.js');
  return loaded;
}
