import { homedir } from 'node:os';
import { type PlatformPath, posix, win32 } from 'node:path';
import process from 'node:process';

/** The user, machine and folder for which configuration files are looked up. */
export interface ClientEnvironment {
  /** The operating system, as in `process.platform`. */
  readonly platform: string;
  /** The home folder of the user: an absolute path. */
  readonly home: string;
  /** The working folder: an absolute path. Files of projects are looked up here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the user and machine of this process.
 * @param source - variables and the working folder in place of those of the process.
 */
export function clientEnvironment({
  env = process.env,
  cwd = process.cwd(),
}: Partial<Pick<ClientEnvironment, 'env' | 'cwd'>> = {}): ClientEnvironment {
  const { platform } = process;
  const named = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return { platform, env, cwd, home: named === undefined || named === '' ? homedir() : named };
}

/** Returns the functions for paths of a platform. */
export function pathsOf({ platform }: ClientEnvironment): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/** Returns the folder where programs keep their settings: `%APPDATA%`, `~/Library/Application Support` or `~/.config`. */
export function settingsFolder(environment: ClientEnvironment): string {
  const { platform, home, env } = environment;
  const paths = pathsOf(environment);
  if (platform === 'win32') return absolute(env.APPDATA, paths) ?? paths.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support');
  return absolute(env.XDG_CONFIG_HOME, paths) ?? paths.join(home, '.config');
}

/** Returns the folder where programs keep state that is not shared between machines. */
export function stateFolder(environment: ClientEnvironment): string {
  const { platform, home, env } = environment;
  const paths = pathsOf(environment);
  if (platform === 'win32') return absolute(env.LOCALAPPDATA, paths) ?? paths.join(home, 'AppData', 'Local');
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support');
  return absolute(env.XDG_STATE_HOME, paths) ?? paths.join(home, '.local', 'state');
}

/** Returns a folder that an environment variable names, if it is an absolute path. */
export function absolute(folder: string | undefined, paths: PlatformPath): string | undefined {
  return folder !== undefined && paths.isAbsolute(folder) ? folder : undefined;
}

/** Returns a path for people: with `.` for the working folder, or `~` for the home folder. */
export function shortPath(path: string, environment: ClientEnvironment): string {
  const { sep } = pathsOf(environment);
  const { home, cwd } = environment;
  if (cwd !== home && path.startsWith(cwd + sep)) return `.${path.slice(cwd.length)}`;
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
