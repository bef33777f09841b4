import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../packages/commands.js';
import { runtimes } from '../packages/runtimes.js';

const modules = fileURLToPath(new URL('../packages/node_modules', import.meta.url));

/** The compiler of TypeScript 5.9, which many projects have. */
export const olderCompiler = join(modules, 'typescript-5/lib/tsc.js');

/**
 * Returns the environment of a command: without colours, telemetry and prompts.
 *
 * @param {boolean} newestNode true for a PATH with the newest LTS of Node in front
 * @returns {Record<string, string>}
 */
export function environment(newestNode) {
  const node = runtimes.find(({ name }) => name === 'lts')?.find();
  if (newestNode && node === undefined) throw new Error('The newest LTS of Node is not installed.');
  const first = newestNode && node !== undefined ? `${dirname(node)}:` : '';
  return {
    ...quietly(process.env),
    PATH: first + (process.env.PATH ?? ''),
    CI: 'true',
    NO_COLOR: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    WRANGLER_SEND_METRICS: 'false',
  };
}

/** @param {NodeJS.ProcessEnv} env */
function quietly(env) {
  // Settings of the pnpm that runs this script are not for the commands of projects.
  const own = Object.entries(env).filter(([name]) => !/^(npm|pnpm)_(config|package|lifecycle)_/i.test(name));
  return /** @type {Record<string, string>} */ (Object.fromEntries(own));
}

/**
 * Runs a command of a project.
 *
 * @param {string[]} command
 * @param {{ cwd: string, env: Record<string, string> }} options
 * @returns {Promise<string>} stdout
 * @throws Error with all output if the command fails
 */
export async function succeed([program = '', ...args], { cwd, env }) {
  const { ok, output, stdout } = await run(program, args, { cwd, env });
  if (!ok) throw new Error(`${[program, ...args].join(' ')}\n${output}`);
  return stdout;
}
