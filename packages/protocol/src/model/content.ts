import type { Annotations, Meta } from './annotations.js';
import type { BlobResourceContents, Resource, TextResourceContents } from './resources.js';

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

export interface ImageContent<Data = string> {
  readonly type: 'image';
  /** Base64. */
  readonly data: Data;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

export interface AudioContent<Data = string> {
  readonly type: 'audio';
  /** Base64. */
  readonly data: Data;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** A pointer to a resource the peer may read. */
export interface ResourceLink extends Resource {
  readonly type: 'resource_link';
}

/** A resource carried inside a result or message. */
export interface EmbeddedResource<Data = string> {
  readonly type: 'resource';
  readonly resource: TextResourceContents | BlobResourceContents<Data>;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** A part of a tool result or a prompt message. `Data` is base64 as it travels; authors may use {@link Base64Input}. */
export type ContentBlock<Data = string> =
  | TextContent
  | ImageContent<Data>
  | AudioContent<Data>
  | ResourceLink
  | EmbeddedResource<Data>;

/** Returns the texts of content or of resource contents, joined by line breaks; everything but text is left out. */
export function textOf(content: object | readonly object[]): string {
  const blocks: readonly { readonly text?: unknown }[] = Array.isArray(content) ? content : [content];
  return blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}
