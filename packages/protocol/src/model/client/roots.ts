import type { Meta } from '../annotations.js';

/** A folder of the client that the server may work in. @deprecated by 2026-07-28. */
export interface Root {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: Meta;
}

export interface ListRootsResult {
  readonly roots: readonly Root[];
  readonly _meta?: Meta;
}
