import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** Folders in which programs look for skills. */
const known = /[\\/]\.(?:agents|claude|codex|cursor|gemini|github|goose|opencode)[\\/]skills(?:[\\/]|$)/i;
/** Names in one folder that are looked at. */
const mostNames = 10_000;

/**
 * Refuses a folder in which a program could take a cached file for a skill of this machine.
 * @throws TypeError with the reason.
 */
export function requireApart(folder: string, skillFolders: readonly string[]): void {
  const place = realOf(resolve(folder));
  const refused = (why: string) =>
    new TypeError(
      `${folder} cannot be a cache of skills, because ${why}: choose a folder in which no program looks for skills.`,
    );
  if (known.test(place)) throw refused('programs look for skills in it');
  for (const given of skillFolders) {
    const other = realOf(resolve(given));
    if (isInside(other, place) || isInside(place, other)) throw refused(`${given} has skills`);
  }
  for (let above = place; ; above = dirname(above)) {
    if (isSkill(above)) throw refused(`${above} is a skill`);
    if (dirname(above) === above) break;
  }
  for (const around of [place, dirname(place)]) {
    const skill = namesIn(around).find((name) => isSkill(join(around, name)));
    if (skill !== undefined) throw refused(`${join(around, skill)} is a skill`);
  }
}

/** Returns the path of a folder without symbolic links, also if it is not there yet. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realOf(above), basename(path));
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path);
}

function isSkill(folder: string): boolean {
  return existsSync(join(folder, 'SKILL.md'));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, mostNames);
  } catch {
    return [];
  }
}
