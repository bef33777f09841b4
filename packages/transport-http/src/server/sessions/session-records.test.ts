import { SharedMemory } from '@tenon/mcp-state/internal';
import { describe, expect, it } from 'vitest';
import type { SessionRecord } from './session-record.js';
import { SessionRecords } from './session-records.js';

const record = { revision: '2025-11-25', peer: {}, openedAt: 0 } as unknown as SessionRecord;

function processes() {
  const memory = new SharedMemory();
  return { kv: memory.open().kv, open: () => new SessionRecords(memory.open(), 60_000) };
}

describe('SessionRecords', () => {
  it('loses no change when several processes change a record at once', async () => {
    const { open } = processes();
    await open().put('one', record);
    const count = ({ settings, ...rest }: SessionRecord): SessionRecord => ({
      ...rest,
      settings: { count: (settings?.count ?? 0) + 1 },
    });
    await Promise.all(Array.from({ length: 5 }, () => open().change('one', count)));
    expect(await open().get('one')).toMatchObject({ ...record, settings: { count: 5 } });
  });

  it('leaves a record, and does not create that of a session that has ended', async () => {
    const { kv, open } = processes();
    await open().put('one', record);
    const before = await kv.get('session/one/record');
    expect(await open().change('one', () => undefined)).toEqual(record);
    expect(await kv.get('session/one/record')).toEqual(before);
    expect(await open().change('gone', () => record)).toBeUndefined();
    expect(await open().get('gone')).toBeUndefined();
  });

  it.each(['7', '"text"', 'null', '[]', 'text'])(
    'rejects a change of the foreign record %s',
    async (text) => {
      const { kv, open } = processes();
      await kv.put('session/one/record', text);
      await expect(open().change('one', () => record)).rejects.toThrow('State: ');
      expect((await kv.get('session/one/record'))?.value).toBe(text);
    },
  );
});
