import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';

/** Where a program runs, as far as it matters to where its files belong. */
export interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the user. */
  readonly home: string;
}

/**
 * Where the tokens of a program are kept: in the folder for the state of programs that each system has, in a file of the
 * program's own, since a registration belongs to one program.
 */
export function defaultPath(name: string, { platform, env, home }: Surroundings): string {
  const file = `${fileName(name)}.json`;
  if (platform === 'win32') {
    return win32.join(
      absolute(env.LOCALAPPDATA, win32) ?? win32.join(home, 'AppData', 'Local'),
      'tenon',
      file,
    );
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'tenon', file);
  return posix.join(
    absolute(env.XDG_STATE_HOME, posix) ?? posix.join(home, '.local', 'state'),
    'tenon',
    file,
  );
}

/** Relative ones are to be ignored. https://specifications.freedesktop.org/basedir-spec/latest/ */
function absolute(folder: string | undefined, path: typeof posix): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/** A name that every file system takes; names that would look the same are told apart by what they are made of. */
function fileName(name: string): string {
  const plain =
    name
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? '';
  if (plain === name && plain.length <= 48) return `${plain}-auth`;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return [plain.slice(0, 48), mark, 'auth'].filter((part) => part !== '').join('-');
}
