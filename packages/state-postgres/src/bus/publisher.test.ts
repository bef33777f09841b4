import { expect, it } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import type { Database } from '../connection/database.js';
import { Publisher } from './publisher.js';

/** A database. The test ends its statements. */
function fakeDatabase() {
  const statements: { resolve(): void; reject(error: Error): void }[] = [];
  const run = () =>
    new Promise<void>((resolve, reject) => {
      statements.push({ resolve, reject });
    });
  return { statements, database: { deadline: () => 0, run } as unknown as Database };
}

it('publishes the messages that wait, and later ones, after a statement has failed', async () => {
  const { statements, database } = fakeDatabase();
  const publisher = new Publisher(database, 'tenon');
  const first = publisher.publish('a/t', 'first');
  const waiting = publisher.publish('a/t', 'waiting');
  statements[0]?.reject(new Error('The connection is lost.'));
  await expect(first).rejects.toThrow('The connection is lost.');
  await settled();
  statements[1]?.resolve();
  await waiting;
  const later = publisher.publish('a/t', 'later');
  await settled();
  statements[2]?.resolve();
  await later;
  expect(statements).toHaveLength(3);
});
