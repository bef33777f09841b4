import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('servers that the client must not sign in to', () => {
  async function withImpostor(scenario: string) {
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true) {
        const resource = 'https://elsewhere.example/mcp';
        response.end(JSON.stringify({ resource, authorization_servers: [`http://127.0.0.1:${port}`] }));
      } else {
        response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const child = spawn(process.execPath, [main, '--scenario', scenario, url]);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    server.close();
    return { stdout, stderr, status };
  }

  it('passes when the client refuses for the expected reason', async () => {
    expect(await withImpostor('auth/resource-mismatch')).toEqual({ stdout: 'done\n', stderr: '', status: 0 });
  });

  it('fails when the client refuses for another reason', async () => {
    const { stdout, stderr, status } = await withImpostor('auth/iss-normalized');
    expect([stdout, status]).toEqual(['', 1]);
    expect(stderr).toContain("It had to give up because of 'bad-response', and it failed: AuthError");
  });
});
