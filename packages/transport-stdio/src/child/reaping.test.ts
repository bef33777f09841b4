import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { ProcessGroup } from './process-group.js';
import { reapLeader, reapSurvivors } from './reaping.js';

const waits = { closeWaitMs: 2000, terminateWaitMs: 2000, killWaitMs: 1000 };

/** A clock that moves only when all promises have settled, and a scripted process group. */
function ladder(behaviour: {
  exitsAt?: number;
  onTerminate?: 'exits' | 'stays';
  onKill?: 'exits' | 'stays';
}) {
  let now = 0;
  let waiting: { readonly at: number; readonly run: () => void }[] = [];
  const log: string[] = [];
  let exit = (): void => {};
  let living = true;
  const exited = new Promise<void>((resolve) => {
    exit = () => {
      living = false;
      resolve();
    };
  });
  const delay = (ms: number, run: () => void) => {
    const entry = { at: now + ms, run };
    waiting.push(entry);
    return () => {
      waiting = waiting.filter((one) => one !== entry);
    };
  };
  const group: ProcessGroup = {
    terminate() {
      log.push(`TERM at ${now}`);
      if (behaviour.onTerminate === 'exits') exit();
    },
    kill() {
      log.push(`KILL at ${now}`);
      if (behaviour.onKill !== 'stays') exit();
    },
    alive: () => living,
  };
  if (behaviour.exitsAt !== undefined) delay(behaviour.exitsAt, exit);
  const run = async (work: Promise<void>) => {
    let done = false;
    void work.then(() => {
      done = true;
    });
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (done) return { log, now, left: waiting.length };
      const next = waiting.sort((a, b) => a.at - b.at).shift();
      if (next === undefined) throw new Error('No timer is pending.');
      now = next.at;
      next.run();
    }
  };
  return { target: { exited, group, waits, delay }, run };
}

describe('reapLeader', () => {
  it('sends no signal to a child that ends by itself', async () => {
    shows('2024-11-05/basic/lifecycle/wait-then-term', '2026-07-28/basic/transports/stdio/client-shutdown');
    const { target, run } = ladder({ exitsAt: 1999 });
    expect(await run(reapLeader(target))).toEqual({ log: [], now: 1999, left: 0 });
  });

  it('sends SIGTERM after the first wait', async () => {
    shows('2024-11-05/basic/lifecycle/wait-then-term');
    const { target, run } = ladder({ onTerminate: 'exits' });
    expect(await run(reapLeader(target))).toEqual({ log: ['TERM at 2000'], now: 2000, left: 0 });
  });

  it('sends SIGKILL after the second wait', async () => {
    shows('2024-11-05/basic/lifecycle/kill');
    const { target, run } = ladder({});
    expect(await run(reapLeader(target))).toEqual({
      log: ['TERM at 2000', 'KILL at 4000'],
      now: 4000,
      left: 0,
    });
  });

  it('abandons a child that SIGKILL does not end', async () => {
    shows('2024-11-05/basic/lifecycle/shutdown-timeout');
    const { target, run } = ladder({ onKill: 'stays' });
    expect(await run(reapLeader(target))).toEqual({
      log: ['TERM at 2000', 'KILL at 4000'],
      now: 5000,
      left: 0,
    });
  });
});

describe('reapSurvivors', () => {
  it('sends SIGTERM immediately and polls until all have ended', async () => {
    const { target, run } = ladder({ exitsAt: 50 });
    expect(await run(reapSurvivors(target))).toEqual({ log: ['TERM at 0'], now: 60, left: 0 });
  });

  it('sends SIGKILL to processes that stay', async () => {
    const { target, run } = ladder({});
    expect(await run(reapSurvivors(target))).toEqual({
      log: ['TERM at 0', 'KILL at 2000'],
      now: 2000,
      left: 0,
    });
  });

  it('abandons processes that SIGKILL does not end', async () => {
    const { target, run } = ladder({ onKill: 'stays' });
    expect(await run(reapSurvivors(target))).toMatchObject({ now: 3000, left: 0 });
  });

  it('sends no signal when no process is left', async () => {
    const { target, run } = ladder({});
    const group = { ...target.group, alive: () => false };
    expect(await run(reapSurvivors({ ...target, group }))).toEqual({ log: [], now: 0, left: 0 });
  });
});
