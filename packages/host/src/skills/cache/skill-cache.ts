import type { KeptFile, SkillFileCache } from '@tenon/mcp-skills/client';

/** The owner of files in a cache of skills. */
export interface SkillCacheOwner {
  /** The name of the server in the host. */
  readonly server: string;
  /** The user, if each user has connections of their own. */
  readonly user: string | undefined;
}

/**
 * Keeps files of skills that were read and verified. Whatever it returns is verified again on each access, and stays content of its server: it
 * is tagged, and never trusted like a file of this machine.
 */
export interface SkillCache {
  /** Returns the files of one owner. Those of others are never returned. */
  of(owner: SkillCacheOwner): SkillFileCache;
  /** Deletes all files of a server. The host calls it when the server is removed. */
  remove(server: string): Promise<void>;
}

/** Returns a cache of one skill in memory, in front of another one. It has each file of an entry once, so its size is bounded by the entry. */
export function inMemory(behind: SkillFileCache | undefined): SkillFileCache {
  const files = new Map<string, KeptFile>();
  return {
    async read(file) {
      return files.get(file.uri) ?? behind?.read(file);
    },
    async write(file, content) {
      files.set(file.uri, { ...content, bytes: content.bytes.slice() });
      await behind?.write(file, content);
    },
  };
}
