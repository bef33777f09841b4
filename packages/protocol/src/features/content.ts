import type { Annotations, Meta } from './annotations.js';
import type { BlobResourceContents, TextResourceContents } from './resource-contents.js';
import type { Resource } from './resources.js';

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

export interface ImageContent {
  readonly type: 'image';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

export interface AudioContent {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** A pointer to a resource the peer may read. */
export interface ResourceLink extends Resource {
  readonly type: 'resource_link';
}

/** A resource carried inside a result or message. */
export interface EmbeddedResource {
  readonly type: 'resource';
  readonly resource: TextResourceContents | BlobResourceContents;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** What a tool result or a prompt message is made of. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** The texts of content or of resource contents, one a line; whatever is no text is left out. */
export function textOf(content: object | readonly object[]): string {
  const blocks: readonly { readonly text?: unknown }[] = Array.isArray(content) ? content : [content];
  return blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}
