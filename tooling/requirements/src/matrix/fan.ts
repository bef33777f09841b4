import { originOf } from '../rows/alike.js';
import type { Row } from '../rows/row.js';
import { type TransportName, transports } from './transports.js';

/** A revision and a transport to run a story on. */
export interface Place {
  readonly revision: string;
  readonly transport: TransportName;
}

/** Restricts the places of a story. */
export interface Narrowing {
  /** Only these revisions of the rows. */
  readonly revisions?: readonly string[];
  /** Only these transports. */
  readonly transports?: readonly TransportName[];
}

/**
 * Returns the places that show some requirements: every revision of one of them, and of the rows they are like, over all its
 * transports.
 * @param rows - all rows, by id
 * @throws RangeError if an id is unknown, or no place is left
 */
export function placesOf(
  ids: readonly string[],
  rows: ReadonlyMap<string, Row>,
  narrowing: Narrowing,
): readonly Place[] {
  const revisions = new Set(ids.flatMap((id) => revisionsOf(id, rows)));
  const places = [...revisions]
    .filter((revision) => narrowing.revisions?.includes(revision) ?? true)
    .sort()
    .flatMap((revision) =>
      [...transports]
        .filter(([transport]) => narrowing.transports?.includes(transport) ?? true)
        .filter(([, { carries }]) => carries(revision))
        .map(([transport]) => ({ revision, transport })),
    );
  if (places.length === 0) throw new RangeError(`no revision and transport is left for ${ids.join(', ')}`);
  return places;
}

function revisionsOf(id: string, rows: ReadonlyMap<string, Row>): readonly string[] {
  if (!rows.has(id)) throw new RangeError(`no row has the id ${id}`);
  const alike = [...rows.values()].filter((row) => row.id === id || originOf(row, rows).id === id);
  return alike.flatMap(({ revisions }) => revisions);
}
