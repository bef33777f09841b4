/** The audience of a piece of content, and its priority. */
export interface Annotations {
  readonly audience?: readonly Role[];
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** ISO 8601 date and time. */
  readonly lastModified?: string;
}

/** The sender or recipient of a message. */
export type Role = 'user' | 'assistant';

/** An image a user interface may show. Only `https:` and `data:` sources are safe to load. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  /** Such as `48x48`, or `any` for scalable formats. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Free-form metadata; see the key rules in `meta.ts`. */
export type Meta = { readonly [key: string]: unknown };

/** Name, version and other facts of a client or server, as it sent them. Never verified: for display and logs only. */
export interface Implementation {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}
