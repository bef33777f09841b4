import { createServer } from '@tenon/mcp-server';
import type { Transport } from './transports.js';

/** Every published revision, oldest first: what a server speaks that nobody told otherwise. */
export const revisionIds: readonly string[] = createServer({ name: 'any', version: '1.0.0' })
  .revisions.map(({ id }) => id)
  .reverse();

/** One column of the table. */
export interface Column {
  readonly revision: string;
  readonly transport: Transport;
}

/** Columns in the order of the table: by revision, then by transport, where the revision has it. */
export function columnsOf(revisions: readonly string[], transports: readonly Transport[]): readonly Column[] {
  return revisions.flatMap((revision) =>
    transports
      .filter((transport) => transport.revisions?.includes(revision) ?? true)
      .map((transport) => ({ revision, transport })),
  );
}
