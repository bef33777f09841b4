import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const dist = new URL('../../../../packages/auth/dist/', import.meta.url);

/** Returns the packages that a built file and its imports load at start. */
async function importedBy(file: URL, seen = new Set<string>()): Promise<Set<string>> {
  const code = await readFile(file, 'utf8');
  for (const [, name = ''] of code.matchAll(/^(?:import|export|\}) ?(?:.* from )?"([^"]+)";$/gm)) {
    const own = name === '#network' ? new URL('http/node-network.js', dist) : ownFile(name, file);
    const key = own?.href ?? name;
    if (seen.has(key)) continue;
    seen.add(key);
    if (own !== undefined) await importedBy(own, seen);
  }
  return new Set([...seen].filter((name) => !name.startsWith('file:')));
}

function ownFile(name: string, from: URL): URL | undefined {
  return name.startsWith('.') ? new URL(name, from) : undefined;
}

test.each([
  // The keys of sealed texts.
  ['client.js', ['@tenon/mcp-session/internal']],
  // The stores of proofs and pages.
  ['server.js', ['@tenon/mcp-state/internal']],
])('%s loads what signs, checks and connects when it is needed', async (file, more) => {
  expect([...(await importedBy(new URL(file, dist)))].sort()).toEqual([
    '@tenon/foundation',
    '@tenon/foundation/redaction/thorough',
    '@tenon/mcp-protocol/internal',
    ...more,
  ]);
});

const programs = {
  client: `
    const { oauth } = await import(at + 'client.js');
    const interaction = { redirectUris: ['http://127.0.0.1/callback'], applicationType: 'native', begin() {} };
    const { authorizer } = oauth({ client: { name: 'Test' }, interaction });`,
  server: `
    const { jwtVerifier, protect } = await import(at + 'server.js');
    const options = { resource: 'https://mcp.example/mcp', authorizationServers: ['https://auth.example'] };
    protect({ guard() {} }, { ...options, verify: jwtVerifier() });`,
};

test.each(Object.entries(programs))(
  'a %s that has only begun has not had Node load its fetch',
  async (_, program) => {
    const code = `const at = ${JSON.stringify(dist.href)};${program}
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => name.includes('undici'))));`;
    const run = promisify(execFile);
    const cwd = fileURLToPath(dist);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd });
    expect(JSON.parse(stdout)).toEqual([]);
  },
);
