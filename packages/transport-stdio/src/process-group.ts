import { hasLivingMember } from './living-members.js';
import { endProcessTree } from './windows.js';

/** The processes that a child leads. */
export interface ProcessGroup {
  /** Asks all of them to end. Does nothing on Windows, which has no such request. */
  terminate(): void;
  /** Ends all of them at once. */
  kill(): void;
  /** True while any of them is there; on Windows, where that cannot be told, always false. */
  alive(): boolean;
}

/** The signal port: `process.kill`, which takes a negative id for a whole group. */
export type Kill = (pid: number, signal: NodeJS.Signals | 0) => void;

const realKill: Kill = (pid, signal) => {
  process.kill(pid, signal);
};

/** The group of a child that was started detached (POSIX) or the tree below it (Windows). */
export function processGroup(
  leader: number,
  kill: Kill = realKill,
  platform: NodeJS.Platform = process.platform,
): ProcessGroup {
  if (platform === 'win32') {
    return { terminate() {}, kill: () => endProcessTree(leader), alive: () => false };
  }
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      kill(-leader, name);
      return true;
    } catch {
      // ESRCH: nobody is left. EPERM: whoever is left is not ours to end.
      return false;
    }
  };
  return {
    terminate() {
      signal('SIGTERM');
    },
    kill() {
      signal('SIGKILL');
    },
    alive: () => signal(0) && hasLivingMember(leader),
  };
}

const open = new Set<ProcessGroup>();

function killAll(): void {
  for (const group of open) group.kill();
}

/** Ends the group with this process should it exit first. Returns a function that gives the group up. */
export function endWithThisProcess(group: ProcessGroup): () => void {
  if (open.size === 0) process.once('exit', killAll);
  open.add(group);
  return () => {
    if (open.delete(group) && open.size === 0) process.off('exit', killAll);
  };
}
