import { createServer } from '@tenon/mcp-server';

/** Every published revision, oldest first: what a server speaks that nobody told otherwise. */
export const revisionIds: readonly string[] = createServer({ name: 'any', version: '1.0.0' })
  .revisions.map(({ id }) => id)
  .reverse();

/** One column of a table. */
export interface Column {
  readonly revision: string;
  readonly transport: string;
}

/** Something that not every revision need have. */
interface Place {
  /** Revisions that have it; all when left out. */
  readonly revisions?: readonly string[];
}

/** What is played in each column, by revision, then by transport, where the revision has it. */
export function byRevision<P extends Place, C>(
  places: readonly P[],
  column: (revision: string, place: P) => C,
): readonly C[] {
  return revisionIds.flatMap((revision) =>
    places
      .filter(({ revisions }) => revisions?.includes(revision) ?? true)
      .map((place) => column(revision, place)),
  );
}
