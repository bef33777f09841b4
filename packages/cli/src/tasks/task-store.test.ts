import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mostStored, type StoredTask, TaskStore, wordsOf } from './task-store.js';

let folder: string;
let store: TaskStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-store-'));
  store = new TaskStore(folder);
});

afterEach(() => rm(folder, { recursive: true }));

function task(taskId: string, more: Partial<StoredTask> = {}): StoredTask {
  const now = new Date().toISOString();
  return {
    reference: { endpoint: 'https://example.com/mcp', wire: 'extension', taskId, call: { name: 'render' } },
    way: { server: 'https://example.com/mcp' },
    ...{ status: 'working', createdAt: now, storedAt: now, ttlMs: 60_000 },
    ...more,
  };
}

const ids = async () => (await store.list()).map(({ reference }) => reference.taskId);

describe('TaskStore', () => {
  it('lists the newest task first, and each once', async () => {
    await store.put(task('a'));
    await store.put(task('b'));
    await store.put(task('a'));
    expect(await ids()).toEqual(['a', 'b']);
  });

  it('removes tasks when their time to live is over', async () => {
    await store.put(task('old', { storedAt: new Date(Date.now() - 61_000).toISOString() }));
    await store.put(
      task('month', { storedAt: new Date(Date.now() - 31 * 86_400_000).toISOString(), ttlMs: null }),
    );
    await store.put(task('new'));
    expect(await ids()).toEqual(['new']);
  });

  it('removes the oldest tasks when there are too many, or too long ones', async () => {
    for (let index = 0; index <= mostStored; index++) await store.put(task(`t${index}`));
    expect(await ids()).toHaveLength(mostStored);
    expect(await ids()).not.toContain('t0');
    for (let index = 0; index < 100; index++) await store.put(task(`${index}${'x'.repeat(8_000)}`));
    expect((await ids()).length).toBeLessThan(100);
  });

  it('does not store long arguments and status messages', async () => {
    const call = { name: 'render', arguments: { text: 'x'.repeat(3_000) } };
    const { reference } = task('a');
    await store.put(task('a', { reference: { ...reference, call }, statusMessage: 'x'.repeat(1_000_000) }));
    const [stored] = await store.list();
    expect(stored?.reference.call).toEqual({ name: 'render' });
    expect(stored?.statusMessage).toHaveLength(2_000);
  });

  it('keeps all tasks when several commands write at once', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `t${index}`);
    await Promise.all(names.map((name) => store.put(task(name))));
    expect((await ids()).sort()).toEqual(names);
  });
});

describe('wordsOf', () => {
  it.each([
    ['WB5V3lASWbttKQZbLaR2XA', 'WB5V3lASWbttKQZbLaR2XA'],
    ['-5V3l', '--id -5V3l'],
    ['$(rm -rf ~)', "--id '$(rm -rf ~)'"],
    ["a'; rm\u001b[2J b", "--id 'a'\\''; rm b'"],
  ])('writes %j so that a shell takes it as one word', (id, words) => {
    expect(wordsOf(id)).toBe(words);
  });
});
