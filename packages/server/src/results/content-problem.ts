import { isBytes, isObject, isUrl } from '@tenon/mcp-protocol/internal';

type Members = { readonly [name: string]: unknown };

/**
 * Returns the problem of a content block, to follow "A content block"; undefined if there is none. Blocks of unknown types are
 * not checked.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 */
export function contentProblem(block: object): string | undefined {
  const members = block as Members;
  const { type } = members;
  switch (type) {
    case 'text':
      return typeof members.text === 'string' ? undefined : 'of type "text" needs "text": a text';
    case 'image':
    case 'audio':
      if (typeof members.mimeType !== 'string') return `of type "${type}" needs "mimeType": a text`;
      return isData(members.data) ? undefined : `of type "${type}" needs "data": ${data}`;
    case 'resource_link':
      if (!isUri(members.uri)) return 'of type "resource_link" needs "uri": an absolute URI';
      return typeof members.name === 'string' ? undefined : 'of type "resource_link" needs "name": a text';
    case 'resource': {
      const problem = resourceProblem(members.resource);
      return problem === undefined ? undefined : `of type "resource" has a "resource" that ${problem}`;
    }
    default:
      return undefined;
  }
}

/** Returns the problem of a resource's contents, to follow "The contents"; undefined if there is none. */
export function resourceProblem(contents: unknown): string | undefined {
  if (!isObject(contents)) return 'must be an object with "uri", and "text" or "blob"';
  const { uri, text, blob } = contents;
  if (!isUri(uri)) return 'needs "uri": an absolute URI';
  if (contents.mimeType !== undefined && typeof contents.mimeType !== 'string')
    return 'has a "mimeType" that is not text';
  if (blob === undefined) return typeof text === 'string' ? undefined : 'needs "text", or "blob"';
  return isData(blob) ? undefined : `needs "blob": ${data}`;
}

/** Returns the problem of a result's type, to follow "A result"; undefined if there is none. */
export function typeProblem({ resultType }: Members): string | undefined {
  return resultType === undefined || resultType === 'complete'
    ? undefined
    : `has a "resultType", ${JSON.stringify(resultType)}: leave it out, the server writes it`;
}

/** Returns the problem of a prompt's message, to follow "A message"; undefined if there is none. */
export function messageProblem(message: unknown): string | undefined {
  if (!isObject(message)) return 'must be an object with "role" and "content"';
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') return 'needs "role": "user" or "assistant"';
  if (!isObject(content) || !types.has(content.type)) return 'needs "content": a content block';
  const problem = contentProblem(content);
  return problem === undefined ? undefined : `has content that no client can read: a block ${problem}`;
}

const types: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

function isUri(uri: unknown): boolean {
  return typeof uri === 'string' && isUrl(uri);
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const data = 'base64, a Uint8Array, an ArrayBuffer or a Blob';

function isData(data: unknown): boolean {
  return typeof data === 'string' ? data.length % 4 === 0 && base64.test(data) : isBytes(data);
}
