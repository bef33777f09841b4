import { revisions } from '@tenon/mcp-protocol';

/**
 * Names of every published revision, newest first: `test.each(everyRevision)('...', async (revision) => ...)`.
 * https://modelcontextprotocol.io/specification/latest/basic/versioning
 */
export const everyRevision: readonly string[] = revisions.map(({ id }) => id);
