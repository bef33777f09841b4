import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const here = fileURLToPath(new URL('..', import.meta.url));
const tenon = fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url));
const everything = fileURLToPath(new URL('../../../apps/everything-server/dist/main.js', import.meta.url));
const isInstalled = existsSync(`${here}/node_modules/@modelcontextprotocol/conformance`);

test.skipIf(!isInstalled)(
  'tenon conformance runs the official suite against the everything-server',
  async () => {
    const words = [
      'conformance',
      await startEverything(),
      '--revision',
      '2025-11-25',
      '--no-download',
      '--json',
    ];
    const { code, stdout } = await run([tenon, ...words]);
    expect(code).toBe(0);
    /** @type {{ ok: boolean, scenarios: { status: string }[] }} */
    const { ok, scenarios } = JSON.parse(stdout);
    expect(ok).toBe(true);
    expect(scenarios.length).toBeGreaterThan(20);
    expect(scenarios.filter(({ status }) => !['passed', 'skipped'].includes(status))).toEqual([]);
  },
);

/** @returns {Promise<string>} the URL of a server that runs until the end of the test */
async function startEverything() {
  const child = spawn(process.execPath, [everything, '--http', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'close');
    child.kill();
    await ended;
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return JSON.parse(line).url;
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
