import type { Annotations, Icon, Meta } from './annotations.js';
import type { CacheHints, InputAnswers, PageResult } from './message-members.js';

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

/** A resource's definition. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** A family of resources by RFC 6570 template. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

export interface ListResourcesResult extends PageResult, CacheHints {
  readonly resources: readonly Resource[];
}

export interface ListResourceTemplatesResult extends PageResult, CacheHints {
  readonly resourceTemplates: readonly ResourceTemplate[];
}

export interface ResourceParams {
  readonly uri: string;
  readonly _meta?: Meta;
}

export type ReadResourceParams = ResourceParams & InputAnswers;

export interface ReadResourceResult<Data = string> extends CacheHints {
  readonly contents: readonly (TextResourceContents | BlobResourceContents<Data>)[];
  readonly _meta?: Meta;
}
