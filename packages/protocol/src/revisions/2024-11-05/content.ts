import {
  aRecord,
  aString,
  aToken,
  byMember,
  define,
  listOf,
  type ObjectShape,
  openObject,
  plain,
  type Union,
  union,
  type WireShape,
  type Write,
} from '../../codec/shape.js';
import { between, oneOf } from '../../json-rpc/check.js';
import { isObject, type UnknownObject } from '../../json-rpc/json.js';
import { MetaKey } from '../../json-rpc/meta.js';

export const role: WireShape = plain(oneOf('user', 'assistant'));

export const annotations: ObjectShape = define(
  {},
  { audience: listOf(role), priority: plain(between(0, 1)) },
);

export const implementation: ObjectShape = define({ name: aString, version: aString });

const perRequestKeys: ReadonlySet<string> = new Set(Object.values(MetaKey));

const withoutPerRequestKeys: Write = (value) => {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (!keys.some((key) => perRequestKeys.has(key))) return value;
  const kept = Object.entries(value).filter(([key]) => !perRequestKeys.has(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

/** `_meta` of request params. */
export const requestMeta: WireShape = openObject({}, { progressToken: aToken }, withoutPerRequestKeys);

/** `_meta` of results and notification params. */
export const messageMeta: WireShape = { ...aRecord, write: withoutPerRequestKeys };

export const textContent: ObjectShape = define(
  { type: plain(oneOf('text')), text: aString },
  { annotations },
);

export const imageContent: ObjectShape = define(
  { type: plain(oneOf('image')), data: aString, mimeType: aString },
  { annotations },
);

export const textResourceContents: ObjectShape = define(
  { uri: aString, text: aString },
  { mimeType: aString },
);

export const blobResourceContents: ObjectShape = define(
  { uri: aString, blob: aString },
  { mimeType: aString },
);

export const resourceContents: WireShape = byMember({ blob: blobResourceContents }, textResourceContents);

export const embeddedResource: ObjectShape = define(
  { type: plain(oneOf('resource')), resource: resourceContents },
  { annotations },
);

/** The text that replaces content which the revision does not have. */
function describe(block: UnknownObject): string {
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

/** Returns the replacement of a block that the revision does not have. */
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
