import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';

const good = { id: 'a', status: 'SUCCESS' };
const bad = { id: 'b', status: 'FAILURE', errorMessage: 'The answer has no "tools".' };

interface FakeRun {
  /** The checks of each scenario. */
  readonly scenarios: Readonly<Record<string, readonly object[]>>;
  readonly exitCode?: number;
}

/** Returns a program that prints and writes as the official suite. */
function fakeSuite({ scenarios, exitCode = 0 }: FakeRun): string {
  return `
    const { mkdirSync, writeFileSync } = require('node:fs');
    const folder = process.argv.at(-1);
    for (const [name, checks] of Object.entries(${JSON.stringify(scenarios)})) {
      console.log("Running client scenario '" + name + "' against server: x");
      const own = folder + '/server-' + name + '-2026-01-01T00-00-00-000Z';
      mkdirSync(own, { recursive: true });
      writeFileSync(own + '/checks.json', JSON.stringify(checks));
    }
    process.exitCode = ${exitCode};
  `;
}

/** Runs the command in a folder with a fake suite. */
async function conformance(run: FakeRun, words: readonly string[] = []) {
  const cwd = await mkdtemp(join(tmpdir(), 'conformance-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const folder = join(cwd, 'node_modules/@modelcontextprotocol/conformance');
  await mkdir(folder, { recursive: true });
  const manifest = { version: '7.7.7', bin: { conformance: 'index.cjs' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.cjs'), fakeSuite(run));
  const server = createServer({ name: 'notes', version: '1.0.0' }).tool('add', {}, () => 'added');
  const serving = await serveHttp(server);
  onTestFinished(() => serving.close());
  return runTenon(['conformance', serving.url, '--node', process.execPath, '--no-download', ...words], {
    cwd,
  });
}

describe('tenon conformance', () => {
  it('prints a line for each scenario', async () => {
    const scenarios = { 'server-initialize': [good, good], ping: [good], 'tools-call-image': [bad] };
    const { code, stdout } = await conformance({ scenarios });
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "ok    server-initialize  2 passed
      ok    ping               1 passed
      n/a   not applicable: the server lacks things that these scenarios use, such as the tool
            test_image_content; --strict counts them: tools-call-image

      2 passed, 1 not applicable (suite 7.7.7)
      "
    `);
  });

  it('prints the problems, and exits with 6 when a scenario fails', async () => {
    const { code, stdout, stderr } = await conformance({
      scenarios: { 'tools-list': [good, bad] },
      exitCode: 1,
    });
    expect(code).toBe(6);
    expect(stdout).toMatchInlineSnapshot(`
      "FAIL  tools-list  1 passed, 1 failed
            b: The answer has no "tools".

      1 failed (suite 7.7.7)
      "
    `);
    expect(stderr).toBe('error: The server does not conform: 1 failed.\n');
  });

  it('prints one object with --json', async () => {
    const { code, stdout, stderr } = await conformance({ scenarios: { 'tools-list': [bad] } }, ['--json']);
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ suite: '7.7.7', ok: false });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'findings', exitCode: 6 } });
  });

  it('rejects a command, which the suite cannot test', async () => {
    const { code, stderr } = await runTenon(['conformance', '--', 'node', 'server.js']);
    expect(code).toBe(1);
    expect(stderr).toContain('over HTTP only');
  });
});
