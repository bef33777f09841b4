import { describe, expect, test } from 'vitest';
import { published } from '../../test/published-schemas.js';
import type { Revision } from '../codec/revision.js';
import { revisions } from './index.js';

const unions = [
  'ClientRequest',
  'ServerRequest',
  'ClientNotification',
  'ServerNotification',
  'inputRequests',
] as const;

/** Rows that differ from the published unions on purpose. */
const knownDifferences: readonly {
  readonly revision: string;
  readonly union: (typeof unions)[number];
  readonly method: string;
  readonly here: 'missing' | 'extra';
  readonly reason: string;
}[] = [];

function rowsOf(revision: Revision, union: (typeof unions)[number]): readonly string[] {
  const tables = {
    ClientRequest: revision.requests.client,
    ServerRequest: revision.requests.server,
    ClientNotification: revision.notifications.client,
    ServerNotification: revision.notifications.server,
    inputRequests: revision.inputRequests,
  };
  return [...tables[union].keys()];
}

function publishedRows(id: string, union: (typeof unions)[number]): readonly string[] {
  const schema = published(id);
  if (union !== 'inputRequests') return schema.messages(union).map(({ method }) => method);
  const inResults = schema.messages('InputRequest').map(({ method }) => method);
  if (inResults.length > 0) return inResults;
  const live = schema.messages('ServerRequest').map(({ method }) => method);
  return live.filter((method) => method !== 'ping' && !method.startsWith('tasks/'));
}

describe('method tables against the published schemas', () => {
  const cases = revisions.flatMap((revision) => unions.map((union) => ({ revision, union })));
  test.each(cases)('$revision.id $union', ({ revision, union }) => {
    const known = knownDifferences.filter((entry) => entry.revision === revision.id && entry.union === union);
    const wanted = new Set(publishedRows(revision.id, union));
    for (const { here, method } of known) {
      if (here === 'missing') wanted.delete(method);
      else wanted.add(method);
    }
    expect([...rowsOf(revision, union)].sort()).toEqual([...wanted].sort());
  });

  test('have as many rows as counted by hand', () => {
    const sizes = revisions.map((revision) => unions.map((union) => rowsOf(revision, union).length));
    expect(sizes).toEqual([
      [10, 0, 1, 8, 3],
      [17, 8, 5, 9, 3],
      [13, 4, 4, 7, 3],
      [13, 3, 4, 7, 2],
      [13, 3, 4, 7, 2],
    ]);
  });
});
