import { oneOf } from '../../check.js';
import { isObject, type UnknownObject } from '../../json.js';
import {
  aString,
  byMember,
  type Definition,
  define,
  type Kind,
  plain,
  type Union,
  union,
  type Write,
} from '../kind.js';
import { annotations } from './annotations.js';

export const textContent: Definition = define({ type: plain(oneOf('text')), text: aString }, { annotations });

export const imageContent: Definition = define(
  { type: plain(oneOf('image')), data: aString, mimeType: aString },
  { annotations },
);

export const textResourceContents: Definition = define(
  { uri: aString, text: aString },
  { mimeType: aString },
);

export const blobResourceContents: Definition = define(
  { uri: aString, blob: aString },
  { mimeType: aString },
);

export const resourceContents: Kind = byMember({ blob: blobResourceContents }, textResourceContents);

export const embeddedResource: Definition = define(
  { type: plain(oneOf('resource')), resource: resourceContents },
  { annotations },
);

/** What a reader of text is told of content that its revision cannot carry. */
export function describe(block: UnknownObject): string {
  switch (block.type) {
    case 'text':
      return String(block.text);
    case 'resource_link':
      return `Resource: ${block.name} (${block.uri})`;
    case 'tool_use':
      return `Tool use: ${block.name} ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return `Tool result: ${describeAll(block.content)}`;
    default:
      return typeof block.mimeType === 'string' ? `[${block.type}: ${block.mimeType}]` : `[${block.type}]`;
  }
}

/** Many blocks as one text. */
export function describeAll(blocks: unknown): string {
  return Array.isArray(blocks) ? blocks.filter(isObject).map(describe).join('\n') : '';
}

/** Stands in for a block the revision lacks. */
export const asText: Write = (value) => {
  if (!isObject(value)) return value;
  const shown = annotations.write(value.annotations);
  const text = describe(value);
  return shown === undefined ? { type: 'text', text } : { type: 'text', text, annotations: shown };
};

export const contentBlock: Union = union(
  'type',
  { text: textContent, image: imageContent, resource: embeddedResource },
  asText,
);
