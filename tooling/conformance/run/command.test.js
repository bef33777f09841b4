import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from './everything.js';

const here = fileURLToPath(new URL('..', import.meta.url));
const tenon = fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url));
const isInstalled = existsSync(`${here}/node_modules/@modelcontextprotocol/conformance`);

test.skipIf(!isInstalled)(
  'tenon conformance runs the official suite against the everything-server',
  async () => {
    const server = await startServer(1);
    onTestFinished(async () => {
      await server.close();
    });
    const words = ['conformance', server.url, '--suite', 'all', '--no-download', '--json'];
    const { code, stdout } = await run([tenon, ...words]);
    expect(code).toBe(0);
    /** @type {{ ok: boolean, scenarios: { status: string }[] }} */
    const { ok, scenarios } = JSON.parse(stdout);
    expect(ok).toBe(true);
    expect(scenarios.length).toBeGreaterThan(30);
    expect(scenarios.filter(({ status }) => !['passed', 'skipped'].includes(status))).toEqual([]);
  },
);

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
