// Runs the installed suite through `tenon conformance` against the everything-server: the first part of `pnpm conformance`.
import assert from 'node:assert/strict';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../suite/services/run-program.js';
import { startServerProgram } from '../suite/services/server-program.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const tenon = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
const everything = fileURLToPath(new URL('../../apps/everything-server/dist/main.js', import.meta.url));

const server = await startServerProgram(process.execPath, [everything, '--http', '0']);
try {
  const words = ['conformance', server.addresses.url, '--revision', '2025-11-25', '--no-download', '--json'];
  const { code, stdout } = await runProgram([process.execPath, tenon, ...words], {
    cwd: here,
    patience: 600_000,
  });
  /** @type {{ ok: boolean, scenarios: { scenario: string, status: string }[] }} */
  const { ok, scenarios } = JSON.parse(stdout);
  const wrong = scenarios.filter(({ status }) => !['passed', 'skipped'].includes(status));
  assert.deepEqual({ code, ok, wrong }, { code: 0, ok: true, wrong: [] });
  assert.ok(scenarios.length > 20, `only ${scenarios.length} scenarios ran`);
  console.log(`tenon conformance: ${scenarios.length} scenarios, none failed`);
} finally {
  await server.end();
}
