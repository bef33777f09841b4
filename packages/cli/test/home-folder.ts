import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type RunOptions, type RunOutcome, runTenon } from './run-tenon.js';

/** A home folder and a project folder of a test. */
export interface HomeFolder {
  readonly home: string;
  /** The working folder of runs. */
  readonly project: string;
  /** The variables that make it the home folder of a run. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file below the home folder (`~/...`) or the project. Objects become JSON. */
  write(path: string, content: string | object): Promise<string>;
  read(path: string): Promise<string>;
  /** Runs `tenon` in the project of this user. */
  run(words: readonly string[], options?: RunOptions): Promise<RunOutcome>;
  remove(): Promise<void>;
}

/** Creates a home folder with nothing in it. */
export async function homeFolder(): Promise<HomeFolder> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tenon-home-')));
  const home = join(root, 'home');
  const project = join(root, 'project');
  for (const folder of [home, project]) await mkdir(folder, { mode: 0o700 });
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, 'AppData', 'Roaming') };
  const absolute = (path: string) =>
    path.startsWith('~/') ? join(home, path.slice(2)) : join(project, path);
  return {
    ...{ home, project, env },
    async write(path, content) {
      const file = absolute(path);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    read: (path) => readFile(absolute(path), 'utf8'),
    run: (words, options = {}) =>
      runTenon(words, { cwd: project, ...options, env: { ...env, ...options.env } }),
    remove: () => rm(root, { recursive: true }),
  };
}
