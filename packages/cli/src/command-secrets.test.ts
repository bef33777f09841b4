import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HomeFolder, homeFolder } from '../test/home-folder.js';
import { plainServer } from '../test/plain-server.js';

let user: HomeFolder;
let server: readonly string[];

beforeEach(async () => {
  user = await homeFolder();
  const file = await user.write('server.cjs', plainServer(['add']));
  server = ['--', process.execPath, file, '--password', 'swordfish', '--api-key=abc123', '--port', '80'];
});

afterEach(() => user.remove());

const secret = /swordfish|abc123/;

describe('secret arguments of a command', () => {
  it.each([
    ['generated types', ['types']],
    ['generated types as JSON', ['types', '--json']],
    ['a report of bench', ['bench', '--requests', '2', '--warmup', '0']],
    ['a report of bench as JSON', ['bench', '--requests', '2', '--warmup', '0', '--json']],
    ['a list without server info', ['watch', '--until', '1', '--for', '0.05']],
    ['a diagnosis', ['doctor', '--json']],
    ['a change of install', ['install', 'claude-code', '--name', 'a']],
    ['a change of install as JSON', ['install', 'codex', '--name', 'a', '--json']],
    ['a change of install in YAML', ['install', 'goose', '--name', 'a']],
  ])('are not in %s', async (_, words) => {
    const { stdout, stderr } = await user.run([...words, ...server]);
    expect(stdout + stderr).toMatch(/server\.cjs/);
    expect(stdout + stderr).not.toMatch(secret);
  });

  it('are in the file that install writes, for its owner only, and not in the change that removes them', async () => {
    const place = ['claude-code', '--name', 'a', '--yes'];
    await user.run(['install', ...place, ...server]);
    expect(await user.read('~/.claude.json')).toMatch(/swordfish[\s\S]*abc123/);
    if (process.platform !== 'win32')
      expect((await stat(join(user.home, '.claude.json'))).mode & 0o777).toBe(0o600);
    const { stdout } = await user.run(['uninstall', 'claude-code', 'a']);
    expect(stdout).toMatch(/^-.*"--password",\n-.*"\*\*\*"/m);
    expect(stdout).not.toMatch(secret);
  });
});
