import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** A TypeScript program of this folder, bundled with the sources of the packages into one file for Node. */
export interface ChildProgram {
  /** A folder for the test. */
  readonly folder: string;
  start(...args: readonly string[]): Child;
  /** Ends all processes, and removes the folder. */
  end(): Promise<void>;
}

/** One process of the program. */
export interface Child {
  readonly pid: number;
  /** Returns the next line that it prints; undefined after the last one. */
  line(): Promise<string | undefined>;
  say(line: string): void;
  signal(signal: NodeJS.Signals): void;
  /** The exit status; null if a signal ended it. */
  readonly exit: Promise<number | null>;
}

export async function childProgram(name: string): Promise<ChildProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-auth-'));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['tenon-source'] },
    ssr: { noExternal: true, resolve: { conditions: ['tenon-source'] } },
    build: {
      ssr: fileURLToPath(new URL(name, import.meta.url)),
      outDir: join(folder, 'program'),
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  });
  const started = new Set<ChildProcess>();
  return {
    folder,
    start(...args) {
      const program = join(folder, 'program', 'program.mjs');
      const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
      started.add(child);
      return wrap(child);
    },
    async end() {
      for (const child of started) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function wrap(child: ChildProcess): Child {
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined) throw new Error('The program did not start.');
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  return {
    pid,
    line: async () => (await lines.next()).value as string | undefined,
    say: (line) => void stdin.write(`${line}\n`),
    signal: (signal) => void child.kill(signal),
    exit: once(child, 'exit').then(([status]) => status as number | null),
  };
}
