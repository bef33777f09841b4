import { readdirSync, readFileSync } from 'node:fs';

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
