import { beforeEach, describe, expect, it } from 'vitest';
import { SharedMemory } from './internal.js';
import { SecretList } from './secret-list.js';

let now: number;
let memory: SharedMemory;

beforeEach(() => {
  now = 1_800_000_000_000;
  memory = new SharedMemory();
});

function list(): SecretList {
  return new SecretList(memory.open(), 'test', () => now);
}

describe('SecretList', () => {
  it('creates one list when several processes read it first at the same time', async () => {
    const read = await Promise.all([list(), list(), list()].map((one) => one.read()));
    expect(read[0]).toHaveLength(1);
    expect(read[0]?.[0]?.secret).toHaveLength(32);
    expect(read).toEqual([read[0], read[0], read[0]]);
  });

  it('adds a first secret, and keeps replaced ones for the time given', async () => {
    const [first] = await list().read();
    now += 5_000;
    const [second] = await list().rotate(1_000);
    now += 999;
    expect(await list().rotate(1_000)).toEqual([expect.anything(), second, first]);
    now += 1;
    // The first was replaced one second ago; the second just now.
    expect(await list().rotate(1_000)).toEqual([expect.anything(), expect.anything(), second]);
  });

  it('adds all secrets when several processes rotate at the same time', async () => {
    await list().read();
    await Promise.all([list(), list(), list()].map((one) => one.rotate(1_000)));
    expect(await list().read()).toHaveLength(4);
  });

  it('drops the oldest of more than 32', async () => {
    const [first] = await list().read();
    for (let count = 0; count < 32; count++) await list().rotate(1_000);
    const secrets = await list().read();
    expect(secrets).toHaveLength(32);
    expect(secrets).not.toContainEqual(first);
  });

  it.each(['', '{}', '[]', '[["short",1]]', '[[1,2]]', '[null]'])(
    'rejects the stored value %j',
    async (value) => {
      await memory.open().kv.put('keys/test', value);
      await expect(list().read()).rejects.toThrow('"keys/test" does not contain a list of secrets');
      await expect(list().rotate(1_000)).rejects.toThrow('"keys/test" does not contain a list of secrets');
    },
  );

  it('rejects when the state is unavailable', async () => {
    const one = list();
    memory.interrupt();
    await expect(one.read()).rejects.toMatchObject({ reason: 'unavailable' });
  });
});
