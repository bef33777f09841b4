// Runs the installed suite through `tenon conformance` against the everything-server: the first part of `pnpm conformance`.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const tenon = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
const everything = fileURLToPath(new URL('../../apps/everything-server/dist/main.js', import.meta.url));

const server = spawn(process.execPath, [everything, '--http', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const closed = once(server, 'close');
try {
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const words = ['conformance', JSON.parse(line).url, '--revision', '2025-11-25', '--no-download', '--json'];
  const { code, stdout } = await run([tenon, ...words]);
  /** @type {{ ok: boolean, scenarios: { scenario: string, status: string }[] }} */
  const { ok, scenarios } = JSON.parse(stdout);
  const wrong = scenarios.filter(({ status }) => !['passed', 'skipped'].includes(status));
  assert.deepEqual({ code, ok, wrong }, { code: 0, ok: true, wrong: [] });
  assert.ok(scenarios.length > 20, `only ${scenarios.length} scenarios ran`);
  console.log(`tenon conformance: ${scenarios.length} scenarios, none failed`);
} finally {
  server.kill('SIGTERM');
  await closed;
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number, stdout: string }>}
 */
function run(args) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: here, maxBuffer: 1 << 24 }, (error, stdout) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout });
    });
  });
}
