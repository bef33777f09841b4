import { revisions } from '@tenon/mcp-protocol';

/** Every published revision, oldest first. */
export const revisionIds: readonly string[] = revisions.map(({ id }) => id).reverse();

/** One column of a table. */
export interface Column {
  readonly revision: string;
  readonly transport: string;
}

/** A transport or table that not every revision has. */
interface Place {
  /** Revisions that have it; all by default. */
  readonly revisions?: readonly string[];
}

/** Returns a column for each revision and each place that has it, ordered by revision. */
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
