/** The code of input requests, in a separate file: servers with clients that cannot answer them never load it. */
export type Engine = typeof import('./engine.js');

let loaded: Engine | undefined;

/** The engine if it is loaded. */
export function engine(): Engine | undefined {
  return loaded;
}

/** Loads the engine; the same module each time. */
export async function loadEngine(): Promise<Engine> {
  loaded ??= await import('./engine.js');
  return loaded;
}
