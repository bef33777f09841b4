// Types of an MCP server, made by tenon. Changes are lost: make the file again instead.
// Server: weather 1.0.0, in revision 2026-07-28.
// Command: tenon types --output weather-types.ts -- node weather.js

/** The arguments of forecast. */
export type ForecastInput = {
  city: string;
  days?: number /* integer, 1 to 7, default 3 */;
};

/** The structured content of forecast. */
export type ForecastOutput = {
  unit: 'C' | 'F';
  highs: number[];
};

/** The tools: the arguments as callers write them, and the structured content. */
export interface Tools {
  /** Daily highs for a city */
  forecast: { readonly input: ForecastInput; readonly output: ForecastOutput };
}

/** The prompts and their arguments. */
export type Prompts = Record<never, never>;

/** The type of the server "weather": connect<Server>(...). */
export interface Server {
  /** Never present at run time. */
  readonly '~contract'?: { readonly tools: Tools; readonly prompts: Prompts };
}
