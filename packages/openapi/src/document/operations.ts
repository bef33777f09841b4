import { isRecord } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import type { OpenApiDocument } from './document.js';
import { Unsupported } from './references.js';
import { lineOf, shown } from './texts.js';

/** An operation of a document, for `include` and `rename`. */
export interface OpenApiOperation {
  /** In upper case. */
  readonly method: string;
  /** As in the document, such as `/pets/{id}`. */
  readonly path: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly summary: string | undefined;
  readonly deprecated: boolean;
}

/** An operation with its parts of the document. */
export interface FoundOperation extends OpenApiOperation {
  readonly operation: UnknownObject;
  readonly pathItem: UnknownObject;
}

/** An operation that is not a tool. */
export interface SkippedOperation {
  readonly method: string;
  readonly path: string;
  /** One sentence part, such as "it is deprecated". */
  readonly reason: string;
}

/** Operations of one document. */
export const mostOperations = 10_000;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

/** Methods with responses that have nothing for a model. */
const withoutContent: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS', 'TRACE', 'CONNECT']);

/**
 * Returns the operations of a document, in its order, and those that cannot be read.
 * @throws RangeError if there are too many.
 */
export function operationsOf({ root, references }: OpenApiDocument): {
  readonly found: readonly FoundOperation[];
  readonly skipped: readonly SkippedOperation[];
} {
  const found: FoundOperation[] = [];
  const skipped: SkippedOperation[] = [];
  for (const [path, value] of Object.entries(isRecord(root.paths) ? root.paths : {})) {
    if (!path.startsWith('/')) continue;
    let pathItem: UnknownObject | undefined;
    try {
      pathItem = references.follow(value);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      skipped.push({ method: '', path, reason: error.message });
    }
    if (pathItem === undefined) continue;
    for (const [name, operation] of entriesOf(pathItem)) {
      if (found.length + skipped.length >= mostOperations)
        throw new RangeError(`fromOpenApi: the document has more than ${mostOperations} operations.`);
      const one = { ...described(operation), method: name.toUpperCase(), path };
      const reason = problemOf(one);
      if (reason === undefined) found.push({ ...one, operation, pathItem });
      else skipped.push({ method: lineOf(one.method, 20) ?? '', path, reason });
    }
  }
  return { found, skipped };
}

function entriesOf(pathItem: UnknownObject): [string, UnknownObject][] {
  const { additionalOperations } = pathItem;
  const known = methods
    .filter((name) => Object.hasOwn(pathItem, name))
    .map((name) => [name, pathItem[name]] as const);
  const more = isRecord(additionalOperations) ? Object.entries(additionalOperations) : [];
  return [...known, ...more].filter((entry): entry is [string, UnknownObject] => isRecord(entry[1]));
}

function described(operation: UnknownObject): Omit<OpenApiOperation, 'method' | 'path'> {
  const { operationId, tags, summary, deprecated } = operation;
  return {
    operationId: typeof operationId === 'string' && operationId !== '' ? operationId : undefined,
    tags: Array.isArray(tags) ? tags.flatMap((tag) => lineOf(tag, 100) ?? []) : [],
    summary: lineOf(summary, 200),
    deprecated: deprecated === true,
  };
}

function problemOf({ method, path }: OpenApiOperation): string | undefined {
  if (!/^[A-Z][A-Z0-9_-]{0,19}$/.test(method)) return `${shown(method)} is not a method of HTTP`;
  if (withoutContent.has(method)) return `responses to ${method} have no content`;
  if (path.length > 1_000) return 'the path has more than 1,000 characters';
  // A URL parser changes these characters.
  if (/[^\x21-\x7e]|\\/.test(path)) return 'the path has characters that a path cannot have';
  return undefined;
}
