import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Installs this folder's dependencies as locked; throws with pnpm's output when that fails. */
export function installDependencies() {
  const [command = '', ...before] = pnpm();
  const args = [...before, 'install', '--frozen-lockfile', '--prefer-offline'];
  const done = spawnSync(command, args, { cwd: here, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (done.status === 0) return;
  throw new Error(`pnpm install failed in ${here}\n${done.stdout}${done.stderr}${done.error ?? ''}`);
}

/** The pnpm that runs this script, or the project's by way of npx. */
function pnpm() {
  const own = process.env.npm_execpath ?? '';
  if (/pnpm[^/\\]*\.c?js$/.test(own)) return [process.execPath, own];
  const { packageManager } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return ['npx', '-y', packageManager];
}
