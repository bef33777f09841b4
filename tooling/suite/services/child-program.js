import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * Bundles a TypeScript program with the sources of the packages into one file for Node, which runs without a build.
 *
 * @param {URL} file
 * @returns {Promise<import('./child-program.js').ChildProgram>}
 */
export async function childProgram(file) {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-child-'));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['tenon-source'] },
    ssr: { noExternal: true, resolve: { conditions: ['tenon-source'] } },
    build: {
      ssr: fileURLToPath(file),
      outDir: join(folder, 'program'),
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  });
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const started = new Set();
  return {
    folder,
    start(...args) {
      const program = join(folder, 'program', 'program.mjs');
      const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
      started.add(child);
      return wrapped(child);
    },
    async end() {
      for (const child of started) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {import('./child-program.js').Child}
 */
function wrapped(child) {
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined) throw new Error('The program did not start.');
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  return {
    pid,
    line: async () => (await lines.next()).value,
    say: (line) => void stdin.write(`${line}\n`),
    signal: (signal) => void child.kill(signal),
    exit: once(child, 'exit').then(([status]) => status),
  };
}
