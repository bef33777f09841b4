import { join, resolve } from 'node:path';
import {
  constantsOf,
  isRecord,
  jsonIn,
  optionRules,
  requireOptions,
  systemClock,
  wholeNumber,
} from '@tenon/foundation';
import { PrivateFile } from '@tenon/foundation/node';
import { type KeptFile, type SkillFileCache, skillLimits } from '@tenon/mcp-skills/client';
import { fileNameOf, folderOf, foldersOf } from './cache-layout.js';
import { requireApart } from './cache-place.js';
import { KeptFiles } from './kept-files.js';
import type { SkillCache, SkillCacheOwner } from './skill-cache.js';

/** Options of `skillCache`. */
export interface SkillCacheOptions {
  /** Bytes of all files on disk, which take 4/3 of their content. Default: 256 MiB. Those used longest ago are deleted. */
  readonly bytes?: number;
  /** Folders in which this program looks for skills of its own. The cache must not be in one of them, nor around one. */
  readonly skillFolders?: readonly string[];
}

/** Files on disk. */
const bounds = { files: 10_000 };
/** Bytes of one file on disk: the largest file of a skill in base64, and its origin. */
const largest = 2 * skillLimits.bytes;

/**
 * Returns a cache of skills in a folder that only this user can read. Each file has its server, its URI and its content in one JSON file, so no
 * program can take it for a skill. Files that are damaged, or that others can read, are read from the server again. Other files and folders in this
 * folder are never deleted.
 * @throws TypeError if the folder is inside of a folder with skills, or around one; or if an option is invalid.
 */
export function skillCache(folder: string, options: SkillCacheOptions = {}): SkillCache {
  requireOptions<SkillCacheOptions>('skillCache', options, {
    bytes: wholeNumber(1),
    skillFolders: optionRules.texts,
  });
  const { bytes = 268_435_456, skillFolders = [] } = options;
  requireApart(folder, skillFolders);
  const root = resolve(folder);
  const kept = new KeptFiles(root, { bytes, ...constantsOf(bounds, options) });
  return {
    of: (owner) => filesOf(owner, { root, kept, bytes }),
    remove: (server) => kept.remove(join(root, ...foldersOf(server))),
  };
}

interface Disk {
  readonly root: string;
  readonly kept: KeptFiles;
  readonly bytes: number;
}

function filesOf(owner: SkillCacheOwner, { root, kept, bytes }: Disk): SkillFileCache {
  const { server } = owner;
  const folder = join(root, ...foldersOf(server), folderOf(owner));
  const fileOf = (uri: string) =>
    new PrivateFile(join(folder, fileNameOf(uri)), { bytes: largest, clock: systemClock });
  return {
    async read({ uri }) {
      const file = fileOf(uri);
      const text = await file.read();
      if (text === undefined) return undefined;
      kept.used(file.path);
      return contentOf(text, { server, uri });
    },
    async write({ uri }, { bytes: content, mimeType }) {
      const data = Buffer.from(content).toString('base64');
      const text = JSON.stringify({ server, uri, ...(mimeType !== undefined && { mimeType }), data });
      if (text.length > Math.min(bytes, largest)) return;
      const file = fileOf(uri);
      await file.prepare();
      await file.write(text);
      await kept.written(file.path, Buffer.byteLength(text));
    },
  };
}

/** Returns the content of a cached file; undefined if it is damaged or of another origin. Its digest is checked by the reader. */
function contentOf(
  text: string,
  { server, uri }: { readonly server: string; readonly uri: string },
): KeptFile | undefined {
  const value = jsonIn(text);
  if (!isRecord(value) || value.server !== server || value.uri !== uri) return undefined;
  const { data, mimeType } = value;
  if (typeof data !== 'string') return undefined;
  return {
    bytes: new Uint8Array(Buffer.from(data, 'base64')),
    mimeType: typeof mimeType === 'string' ? mimeType : undefined,
  };
}
