import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const pathOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

const files = {
  'greeter/server.ts': '',
  'greeter/.mcp.json': '{ "mcpServers": { "greeter": { "command": "node", "args": ["dist/server.js"] } } }\n',
  '.cursor/mcp.json': '{\n  "mcpServers": {\n    "linear": { "url": "https://mcp.linear.app/mcp" }\n  }\n}\n',
  '.codex/config.toml':
    '[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"]\n',
};

/** Runs a line of a shell, where `tenon` is the built program. Returns all that it prints. */
function run(line: string, home: string): Promise<string> {
  const shell = `tenon() { '${process.execPath}' '${pathOf('packages/cli/dist/main.js')}' "$@"; }\n${line} 2>&1`;
  const env = { PATH: process.env.PATH, HOME: home };
  return new Promise((resolve) => {
    execFile('bash', ['-c', shell], { cwd: join(home, 'greeter'), env }, (_, stdout) => resolve(stdout));
  });
}

it.runIf(process.platform === 'linux')('prints what the guide to MCP clients says', async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'tenon-guide-')));
  onTestFinished(() => rm(home, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), content);
  }
  const text = await readFile(pathOf('docs/guide/tools/clients.md'), 'utf8');
  const examples = [
    ...text.matchAll(/```sh\n(tenon (?:install|servers).*)\n```\n\n```text\n([\s\S]*?)\n```/g),
  ];
  expect(examples.length).toBeGreaterThanOrEqual(3);
  for (const [, line = '', expected] of examples) {
    const printed = await run(line, home);
    expect(printed.trimEnd().replaceAll(home, '/home/ada')).toBe(expected);
  }
});
