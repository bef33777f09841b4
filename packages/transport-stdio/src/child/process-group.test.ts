import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { endWithThisProcess, hasLivingMember, type ProcessGroup, processGroup } from './process-group.js';

describe('processGroup', () => {
  it('signals the whole group', () => {
    const sent: unknown[] = [];
    const group = processGroup(42, (...signal) => void sent.push(signal), 'linux');
    group.terminate();
    group.kill();
    expect(sent).toEqual([
      [-42, 'SIGTERM'],
      [-42, 'SIGKILL'],
    ]);
  });

  it('is not alive when it cannot be signalled', () => {
    const group = processGroup(
      42,
      () => {
        throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
      },
      'linux',
    );
    expect(() => group.terminate()).not.toThrow();
    expect(group.alive()).toBe(false);
  });

  it('is not alive when only zombies receive the signal', () => {
    // Greater than any process id: the signal counts as delivered, but the group has no process.
    expect(processGroup(2 ** 30, () => {}, 'linux').alive()).toBe(false);
  });

  it('ends with this process through one listener, and only while it is open', () => {
    const group: ProcessGroup = { terminate() {}, kill() {}, alive: () => false };
    const before = process.listenerCount('exit');
    const [first, second] = [endWithThisProcess(group), endWithThisProcess({ ...group })];
    expect(process.listenerCount('exit')).toBe(before + 1);
    first();
    first();
    expect(process.listenerCount('exit')).toBe(before + 1);
    second();
    expect(process.listenerCount('exit')).toBe(before);
  });
});

describe('hasLivingMember', () => {
  it('ignores zombies and other groups', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenon-proc-'));
    const put = async (pid: number, stat: string) => {
      await mkdir(join(folder, String(pid)), { recursive: true });
      await writeFile(join(folder, String(pid), 'stat'), `${pid} ${stat}`);
    };
    try {
      await put(1, '(init) S 0 1 1 0');
      await put(7, '(odd) S 42) (name) Z 1 42 42 0');
      expect(hasLivingMember(42, folder)).toBe(false);
      await put(8, '(a (b) c) S 7 42 42 0');
      expect(hasLivingMember(42, folder)).toBe(true);
      expect(hasLivingMember(43, folder)).toBe(false);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('returns true on systems without /proc', () => {
    expect(hasLivingMember(42, '/no/such/folder')).toBe(true);
  });
});
