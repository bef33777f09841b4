import { describe, expect, it } from 'vitest';
import type { Row } from '../rows/row.js';
import { placesOf } from './fan.js';

function row(id: string, revisions: readonly string[], more: Partial<Row> = {}): [string, Row] {
  return [id, { id, section: 'S', level: 'MUST', revisions, sentence: 'It holds.', ...more }];
}

function described(places: ReturnType<typeof placesOf>): readonly string[] {
  return places.map(({ revision, transport }) => `${revision} over ${transport}`);
}

describe('the places of a story', () => {
  const rows = new Map([
    row('new', ['2026-07-28']),
    row('old', ['2024-11-05']),
    row('older-words', ['2024-11-05'], { like: 'new' }),
    row('same', ['2026-07-28', '2024-11-05']),
  ]);

  it('are the revisions of its rows over the transports each has', () => {
    expect(described(placesOf(['old'], rows, {}))).toEqual([
      '2024-11-05 over memory',
      '2024-11-05 over stdio',
      '2024-11-05 over sse',
    ]);
  });

  it('include those of the rows that are like them', () => {
    expect(described(placesOf(['new', 'same'], rows, { transports: ['http', 'sse'] }))).toEqual([
      '2024-11-05 over sse',
      '2026-07-28 over http',
    ]);
  });

  it('can be restricted, but not to none', () => {
    expect(described(placesOf(['same'], rows, { revisions: ['2026-07-28'], transports: ['stdio'] }))).toEqual(
      ['2026-07-28 over stdio'],
    );
    expect(() => placesOf(['old'], rows, { transports: ['http'] })).toThrow(
      'no revision and transport is left for old',
    );
  });

  it('are those of all given rows', () => {
    expect(described(placesOf(['old', 'new'], rows, { transports: ['stdio'] }))).toEqual([
      '2024-11-05 over stdio',
      '2026-07-28 over stdio',
    ]);
  });

  it('are rejected for an unknown id', () => {
    expect(() => placesOf(['gone'], rows, {})).toThrow('no row has the id gone');
  });
});
