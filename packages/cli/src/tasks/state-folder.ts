import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** The parts of the environment that decide where the state of the program belongs. */
export interface StateEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: that of this process. */
  readonly platform?: string;
}

/** Returns the folder for the state of this program, of the user. https://specifications.freedesktop.org/basedir-spec/latest/ */
export function stateFolder({ env, platform = process.platform }: StateEnvironment): string {
  if (platform === 'win32') {
    const home = env.USERPROFILE ?? homedir();
    return win32.join(absolute(env.LOCALAPPDATA, win32) ?? win32.join(home, 'AppData', 'Local'), 'tenon');
  }
  const home = env.HOME ?? homedir();
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'tenon');
  return posix.join(absolute(env.XDG_STATE_HOME, posix) ?? posix.join(home, '.local', 'state'), 'tenon');
}

function absolute(folder: string | undefined, path: typeof posix): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}
