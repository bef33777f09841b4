import { readdirSync, readFileSync } from 'node:fs';
import { endProcessTree } from './windows.js';

/** The process group of a child. */
export interface ProcessGroup {
  /** Requests all processes to end. Does nothing on Windows, which has no such request. */
  terminate(): void;
  /** Ends all processes immediately. */
  kill(): void;
  /** True while any of them is alive; always false on Windows, where this is unknown. */
  alive(): boolean;
}

/** The function that sends signals: `process.kill`, which accepts a negative id for a group. */
export type Kill = (pid: number, signal: NodeJS.Signals | 0) => void;

const realKill: Kill = (pid, signal) => {
  process.kill(pid, signal);
};

/** Returns the group of a child that was started detached (POSIX) or the process tree below it (Windows). */
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
      // ESRCH: all have ended. EPERM: the remaining ones belong to another user.
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

/** Ends the group if this process exits first. Returns a function that releases the group. */
export function endWithThisProcess(group: ProcessGroup): () => void {
  if (open.size === 0) process.once('exit', killAll);
  open.add(group);
  return () => {
    if (open.delete(group) && open.size === 0) process.off('exit', killAll);
  };
}

/**
 * True unless every process of a group is known to have ended. Signals reach zombies too, and if process 1 is not an init
 * system, as in many containers, an orphan may stay a zombie for a long time. Always true on systems other than Linux.
 */
export function hasLivingMember(group: number, processes = '/proc'): boolean {
  let names: string[];
  try {
    names = readdirSync(processes).filter((name) => /^\d+$/.test(name));
  } catch {
    return true;
  }
  return names.length === 0 || names.some((name) => isLivingMember(`${processes}/${name}/stat`, group));
}

function isLivingMember(file: string, group: number): boolean {
  try {
    const stat = readFileSync(file, 'latin1');
    // The name in the second field may contain any character, including parentheses and spaces.
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    // The process ended between the two reads.
    return false;
  }
}
