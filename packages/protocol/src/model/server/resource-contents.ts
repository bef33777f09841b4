import type { Meta } from '../annotations.js';

export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: Meta;
}

export interface BlobResourceContents<Data = string> {
  readonly uri: string;
  readonly mimeType?: string;
  /** Base64. */
  readonly blob: Data;
  readonly _meta?: Meta;
}
