import { afterEach, beforeEach, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { authorizationUrl, exchange, publicClient } from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;
let now = 1_700_000_000_000;

beforeEach(async () => {
  server = await startTestAuthorizationServer({
    clients: [{ ...publicClient, name: 'Desk & <b>Co</b>' }],
    consent: true,
    now: () => now,
  });
});

afterEach(() => server.close());

async function shown(): Promise<{ readonly page: string; readonly headers: Headers; readonly id: string }> {
  const response = await fetch(
    authorizationUrl(server, { scope: 'notes:read notes:write', resource: 'https://mcp.example/mcp' }),
  );
  const page = await response.text();
  return { page, headers: response.headers, id: /name="request" value="([^"]+)"/.exec(page)?.[1] ?? '' };
}

async function decide(fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${server.issuer}/consent`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
}

test('names the client, its request and the redirect URI', async () => {
  shows(
    '2026-07-28/basic/authorization/security-considerations/localhost-warned',
    '2026-07-28/basic/authorization/security-considerations/hostname-shown',
  );
  const { page } = await shown();
  expect(page).toContain('Desk &#38; &#60;b&#62;Co');
  expect(page).toContain('<strong id="redirect-host">127.0.0.1</strong>');
  expect(page).toContain('<ul id="scopes"><li>notes:read</li><li>notes:write</li></ul>');
  expect(page).toContain('<ul id="resources"><li>https://mcp.example/mcp</li></ul>');
  expect(page).toContain('id="local"');
  expect(page).toMatch(/<button type="submit" id="allow" [^>]*value="allow">/);
  expect(page).toMatch(/<button type="submit" id="deny" [^>]*value="deny">/);
});

test('forbids framing and scripts', async () => {
  const { headers } = await shown();
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('x-frame-options')).toBe('DENY');
});

test('redirects with a code when the user allows', async () => {
  const { id } = await shown();
  const response = await decide({ request: id, decision: 'allow' });
  expect(response.status).toBe(302);
  const back = new URL(response.headers.get('location') ?? '').searchParams;
  expect(back.get('state')).toBe('a state');
  expect(back.get('iss')).toBe(server.issuer);
  expect((await exchange(server, back.get('code'))).body).toMatchObject({ scope: 'notes:read notes:write' });
});

test.each([{ decision: 'deny' }, { decision: 'else' }, {}])(
  'who does not is sent back with that: %j',
  async (fields) => {
    const { id } = await shown();
    const response = await decide({ request: id, ...fields } as Record<string, string>);
    const back = new URL(response.headers.get('location') ?? '').searchParams;
    expect(back.get('error')).toBe('access_denied');
    expect(back.get('code')).toBeNull();
  },
);

test('accepts each page once, within its lifetime, and only pages it issued', async () => {
  const { id } = await shown();
  await decide({ request: id, decision: 'allow' });
  for (const request of [id, 'made up', '']) {
    const response = await decide({ request, decision: 'allow' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  }
  const { id: late } = await shown();
  now += 600_001;
  expect((await decide({ request: late, decision: 'allow' })).status).toBe(400);
});
