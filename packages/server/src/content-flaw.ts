import { isObject, isUrl } from '@tenon/mcp-protocol/internal';

type Members = { readonly [name: string]: unknown };

/**
 * What is wrong with a content block, to follow "A content block"; undefined for nothing. Blocks of unknown types are
 * not looked at.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 */
export function contentFlaw(block: object): string | undefined {
  const members = block as Members;
  const { type } = members;
  switch (type) {
    case 'text':
      return typeof members.text === 'string' ? undefined : 'of type "text" needs "text": a text';
    case 'image':
    case 'audio':
      if (typeof members.mimeType !== 'string') return `of type "${type}" needs "mimeType": a text`;
      return isBase64(members.data) ? undefined : `of type "${type}" needs "data": bytes in base64`;
    case 'resource_link':
      if (!isUri(members.uri)) return 'of type "resource_link" needs "uri": an absolute URI';
      return typeof members.name === 'string' ? undefined : 'of type "resource_link" needs "name": a text';
    case 'resource': {
      const flaw = resourceFlaw(members.resource);
      return flaw === undefined ? undefined : `of type "resource" has a "resource" that ${flaw}`;
    }
    default:
      return undefined;
  }
}

/** What is wrong with the contents of a resource, to follow "The contents"; undefined for nothing. */
export function resourceFlaw(contents: unknown): string | undefined {
  if (!isObject(contents)) return 'must be an object with "uri", and "text" or "blob"';
  const { uri, text, blob } = contents;
  if (!isUri(uri)) return 'needs "uri": an absolute URI';
  if (contents.mimeType !== undefined && typeof contents.mimeType !== 'string')
    return 'has a "mimeType" that is no text';
  if (blob === undefined) return typeof text === 'string' ? undefined : 'needs "text", or "blob"';
  return isBase64(blob) ? undefined : 'needs "blob": bytes in base64';
}

/** What is wrong with the type a handler gives its result, to follow "A result"; undefined for nothing. */
export function typeFlaw({ resultType }: Members): string | undefined {
  return resultType === undefined || resultType === 'complete'
    ? undefined
    : `has a "resultType", ${JSON.stringify(resultType)}: leave it out, the server writes it`;
}

/** What is wrong with a message of a prompt, to follow "A message"; undefined for nothing. */
export function messageFlaw(message: unknown): string | undefined {
  if (!isObject(message)) return 'must be an object with "role" and "content"';
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') return 'needs "role": "user" or "assistant"';
  if (!isObject(content) || !types.has(content.type)) return 'needs "content": a content block';
  const flaw = contentFlaw(content);
  return flaw === undefined ? undefined : `has content that no client can read: a block ${flaw}`;
}

const types: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

function isUri(uri: unknown): boolean {
  return typeof uri === 'string' && isUrl(uri);
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function isBase64(data: unknown): boolean {
  return typeof data === 'string' && data.length % 4 === 0 && base64.test(data);
}
