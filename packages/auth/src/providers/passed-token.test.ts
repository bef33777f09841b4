import { UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { allTextsOf, failureOf } from '../../test/client/grant-tools.js';
import { type PassTokenOptions, passToken } from './passed-token.js';

const server = new URL('https://mcp.example/mcp');
const request = { method: 'POST', url: server.href };

function tokenFor(aud: string | string[] | undefined): string {
  return new UnsecuredJWT(aud === undefined ? {} : { aud }).setSubject('ada').encode();
}

async function pass(token: string | undefined, options: Partial<PassTokenOptions> = {}, to = server) {
  return passToken({ token: () => token, ...options })
    .authorizer(to)
    .authorize(request);
}

describe('passToken()', () => {
  it.each([
    ['the URL of the server', server.href, {}],
    ['another spelling of it', 'https://MCP.example:443/mcp', {}],
    ['a list with the URL alone', [server.href], {}],
    ['the option audience', 'notes', { audience: 'notes' }],
  ])('passes a token on if its audience is %s', async (_, aud, options) => {
    const token = tokenFor(aud);
    expect(await pass(token, options)).toEqual({ authorization: `Bearer ${token}` });
  });

  it.each([
    ['is for another server', tokenFor('https://host.example'), 'it is for another audience'],
    ['is for another path', tokenFor('https://mcp.example/other'), 'it is for another audience'],
    ['is for a longer path', tokenFor('https://mcp.example/mcp/more'), 'it is for another audience'],
    [
      'is also for another server',
      tokenFor([server.href, 'https://host.example']),
      'also for other audiences',
    ],
    ['has no audience', tokenFor(undefined), 'it names no audience'],
    ['has an empty audience', tokenFor([]), 'it names no audience'],
    ['is opaque', 'opaque-token', 'its audience is unknown'],
  ])('does not pass on a token that %s', async (_, token, problem) => {
    const failure = await failureOf(pass(token));
    expect(failure).toMatchObject({ name: 'AuthError', reason: 'mismatch' });
    expect(String(failure)).toContain(problem);
    expect(allTextsOf(failure)).not.toContain(token);
  });

  it('requests the token for each request, and says that there is none', async () => {
    let count = 0;
    const token = () => (++count === 1 ? tokenFor(server.href) : undefined);
    const authorizer = passToken({ token }).authorizer(server);
    await authorizer.authorize(request);
    expect(await failureOf(Promise.resolve(authorizer.authorize(request)))).toMatchObject({
      reason: 'sign-in-needed',
    });
  });

  it.each([
    'https://evil.example/mcp',
    'https://mcp.example.evil.example/mcp',
    'https://mcp.example@evil.example/mcp',
    'https://mcp.example:8443/mcp',
    'http://mcp.example/mcp',
  ])('passes nothing on to %s, and ignores a rejection from there', async (url) => {
    const authorizer = passToken({ token: () => tokenFor(server.href) }).authorizer(server);
    const elsewhere = { method: 'POST', url };
    expect(await authorizer.authorize(elsewhere)).toBeUndefined();
    expect(await authorizer.challenged({ request: elsewhere } as never)).toBe(false);
  });

  it('rejects when the server rejects the token', async () => {
    const authorizer = passToken({ token: () => 'x' }).authorizer(server);
    expect(await failureOf(authorizer.challenged({ request } as never))).toMatchObject({ reason: 'refused' });
  });

  it('passes nothing on to a server without https, unless it is on this machine or allowed', () => {
    const to = (url: string, allow: string[] = []) =>
      passToken({ token: () => 'x', allow }).authorizer(new URL(url));
    expect(() => to('http://mcp.example/mcp')).toThrow('because it is not https');
    expect(() => to('http://127.0.0.1:3000/mcp')).not.toThrow();
    expect(() => to('http://mcp.internal/mcp', ['http://mcp.internal'])).not.toThrow();
  });

  it('rejects unknown and missing options', () => {
    expect(() => passToken({} as never)).toThrow('the function token is missing');
    expect(() => passToken({ token: () => 'x', aud: 'x' } as never)).toThrow('there is no option "aud"');
  });
});
