import { readdirSync, readFileSync } from 'node:fs';

/**
 * True unless every process of a group is known to have ended. Signals reach zombies too, and where process 1 is no init
 * system, as in many containers, nobody may collect an orphan for a long time. Off Linux it is always true.
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
    // The name in the second field may hold anything, parentheses and spaces too; what follows it does not.
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    // It ended between the two looks.
    return false;
  }
}
