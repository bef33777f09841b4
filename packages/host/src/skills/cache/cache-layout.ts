import { createHash } from 'node:crypto';
import type { SkillCacheOwner } from './skill-cache.js';

/** Characters of one name of a folder. */
const longestName = 200;

/**
 * Returns the folders of a server, one inside the other: the server can be read from them. No two servers have the same, also where upper and lower
 * case are one.
 */
export function foldersOf(server: string): readonly string[] {
  const name = Array.from(new TextEncoder().encode(server), (byte) => {
    const character = String.fromCharCode(byte);
    return /[a-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
  const parts = name.match(new RegExp(`.{1,${longestName}}`, 'g')) ?? [];
  // A folder that goes on cannot be the last one of another server.
  return parts.map((part, index) => `server-${part}${index < parts.length - 1 ? '+' : ''}`);
}

/** Returns the folder of an owner in the folders of its server. */
export function folderOf({ user }: SkillCacheOwner): string {
  return user === undefined ? 'all-users' : `user-${hashOf(user)}`;
}

/** Returns the name of a file in the folder of its owner. */
export function fileNameOf(uri: string): string {
  return `${hashOf(uri)}.json`;
}

const [hash, name] = ['[0-9a-f]{64}', 'server-[a-z0-9%_-]+'];
const server = `(?:${name}\\+/)*${name}`;
const owner = `(?:all-users|user-${hash})`;
const folder = new RegExp(`^${server}(?:\\+|/${owner})?$`);
// With the temporary files of a process that ended while it wrote.
const file = new RegExp(`^${server}/${owner}/${hash}\\.json(?:\\.[0-9a-f]{16}\\.tmp)?$`);

/** True for a path below the folder of a cache, with slashes, that the cache gives to a folder. */
export function isCacheFolder(path: string): boolean {
  return folder.test(path);
}

/** True for a path below the folder of a cache, with slashes, that the cache gives to a file. */
export function isCacheFile(path: string): boolean {
  return file.test(path);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
