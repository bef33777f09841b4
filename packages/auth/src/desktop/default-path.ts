import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';

/** The parts of the environment that decide where files of a program belong. */
export interface Environment {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user. */
  readonly home: string;
}

/**
 * Returns the path of the token file of a program, in the state folder of the operating system. Each program has its own file,
 * because a registration belongs to one program.
 */
export function defaultPath(name: string, { platform, env, home }: Environment): string {
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

/** Relative folders are ignored. https://specifications.freedesktop.org/basedir-spec/latest/ */
function absolute(folder: string | undefined, path: typeof posix): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/** Returns a name that every file system accepts, with a hash if different names could become the same. */
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
