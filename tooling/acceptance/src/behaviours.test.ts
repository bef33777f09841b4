import { readdirSync } from 'node:fs';
import { revisions } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { type Row, rows, type Where } from './behaviours/rows.js';
import { folderOf, tell } from './behaviours/tell.js';
import { transports } from './behaviours/transports.js';

const ids = revisions.map(({ id }) => id).sort();
const places: Where[] = ids.flatMap((revision) =>
  [...transports.keys()].map((transport) => ({ revision, transport })),
);
const kinds: Row['told'][] = ['frames', 'http'];

function has(row: Row, revision: string): boolean {
  return places.some((place) => place.revision === revision && row.absent(place) === undefined);
}

describe.each(kinds)('behaviours told in %s', (told) => {
  const told_rows = rows.filter((row) => row.told === told);

  describe.each(places)('of $revision over $transport', (place) => {
    const present = told_rows.filter((row) => row.absent(place) === undefined);
    for (const row of present) it(row.story, () => tell(row, place));
    it(`are there, but for ${told_rows.length - present.length} with a reason`, () => {
      for (const row of told_rows) expect(row.absent(place)).not.toBe('');
    });
  });

  it.each(ids)('have a file each in %s, and no other is there', (revision) => {
    const stories = told_rows.filter((row) => has(row, revision)).map(({ story }) => `${story}.md`);
    expect(readdirSync(folderOf(told, revision)).sort()).toEqual(stories.sort());
  });
});

describe('the table', () => {
  it('has each behaviour somewhere, and each transport and revision for something', () => {
    for (const row of rows) expect(ids.some((id) => has(row, id))).toBe(true);
    for (const place of places)
      expect(rows.some((row) => row.absent(place) === undefined)).toBe(
        transports.get(place.transport)?.absent(place.revision) === undefined,
      );
  });
});
