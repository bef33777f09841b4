import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { CodeFlowWeb } from '../../../test/client/code-flow-web.js';
import { failureOf } from '../../../test/client/grant-tools.js';
import { begin, send } from '../../../test/client/user-program.js';
import { AuthError } from '../../auth-error.js';

const hour = 3_600_000;

/** The responses of authorization servers to a refresh token that has ended, and the text that they show. */
const deadRefreshTokens: readonly (readonly [string, number, object | string, string])[] = [
  ['RFC 6749', 400, { error: 'invalid_grant', error_description: 'Session is over' }, 'Session is over'],
  ['a member msg', 400, { msg: 'Session is over' }, 'Session is over'],
  ['a member detail', 401, { detail: 'Session is over' }, 'Session is over'],
  ['a member message', 403, { message: 'Session is over', statusCode: 403 }, 'Session is over'],
  ['an error that is an object', 400, { error: { code: 7, message: 'Session is over' } }, 'Session is over'],
  ['an error that is a sentence', 400, { error: 'Session is over' }, 'Session is over'],
  ['a list of errors', 422, { errors: [{ message: 'Session is over' }] }, 'Session is over'],
  ['a problem document', 400, { title: 'Bad Request', detail: 'Session is over' }, 'Session is over'],
  ['plain text', 400, 'Session is over', 'Session is over'],
  ['JSON text', 400, '"Session is over"', 'Session is over'],
  ['an empty body', 400, '', 'HTTP 400'],
  ['a page', 403, '<!doctype html><title>Session is over</title><p>No.', 'HTTP 403'],
  ['a redirect to a login page', 302, '', 'HTTP 302'],
  ['success without a token', 200, {}, 'access_token is missing'],
  ['success with a page', 200, '<html>', 'not a JSON object'],
  ['success with a token of another type', 200, { access_token: 'a', token_type: 'mac' }, 'Bearer'],
  ['an unsupported grant', 400, { error: 'unsupported_grant_type' }, 'unsupported_grant_type'],
  ['a code of its own with success', 200, { error: 'bad_refresh_token' }, 'bad_refresh_token'],
];

describe('a refresh token that has ended', () => {
  it.each(deadRefreshTokens)('is dropped, and the user signs in, for %s', async (...[, status, body]) => {
    const { web, clock, provider, refreshes } = await signedIn();
    web.onToken = (form) => (form.has('refresh_token') ? { status, body } : undefined);
    clock.stall(2 * hour);
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(refreshes()).toBe(1);
    expect(web.at('/token')).toHaveLength(3);
  });

  it.each(deadRefreshTokens)(
    'is asked for once, and its text is in the error of the sign-in, for %s',
    async (...[, status, body, text]) => {
      const { web, clock, provider, refreshes, interaction } = await signedIn();
      web.onToken = (form) => (form.has('refresh_token') ? { status, body } : undefined);
      web.onResponse = (params) => {
        params.delete('code');
        params.set('error', 'server_error');
      };
      clock.stall(2 * hour);
      const failures = [await failureOf(send(provider, web)), await failureOf(send(provider, web))];
      expect(failures[0]).toBeInstanceOf(AuthError);
      expect((failures[0] as AuthError).message).toContain(text);
      expect(refreshes()).toBe(1);
      expect(interaction.visited).toHaveLength(3);
    },
  );

  it.each([408, 425, 429, 500, 502, 503])('is kept when the server answers HTTP %i', async (status) => {
    const { web, clock, provider, refreshes, interaction } = await signedIn();
    web.onToken = (form) =>
      form.has('refresh_token') && refreshes() === 1 ? { status, body: '<html>' } : undefined;
    clock.stall(2 * hour);
    await expect(send(provider, web)).rejects.toMatchObject({ reason: 'unreachable', permanent: false });
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(interaction.visited).toHaveLength(1);
  });
});

/** Refusals that return to the redirect URI: an error, its description, and the text of the error of the client. */
const refusals: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'an Entra tenant whose users may not consent',
    {
      error: 'access_denied',
      error_description: 'AADSTS90094: An administrator must grant permission.\r\nTrace ID: 7',
    },
    'denied access: AADSTS90094: An administrator must grant permission. Trace ID: 7',
  ],
  [
    'an Okta policy',
    { error: 'invalid_scope', error_description: '\u001b[31mNo scope.' },
    'with invalid_scope: No scope.',
  ],
  ['a long text', { error: 'server_error', error_description: 'x'.repeat(5_000) }, `: ${'x'.repeat(200)}`],
  ['a server without a description', { error: 'access_denied' }, 'denied access.'],
];

describe('a refusal of the authorization server', () => {
  it.each(refusals)('is shown with its reason for %s', async (...[, params, text]) => {
    const web = new CodeFlowWeb();
    web.metadata = { scopes_supported: ['offline_access'] };
    web.resource = { resource: 'https://mcp.example/mcp', scopes_supported: ['read'] };
    const interaction = web.interaction();
    web.onResponse = (response) => {
      response.delete('code');
      for (const [name, value] of Object.entries(params)) response.set(name, value);
    };
    const failure = await failureOf(send(begin(web, { interaction }), web));
    expect(failure).toMatchObject({ reason: 'denied', oauthError: params.error });
    expect((failure as AuthError).message).toMatch(/^[ -~]+$/);
    expect((failure as AuthError).message.endsWith(text)).toBe(true);
    // Entra refuses users who may not consent if the client asks for it.
    expect(interaction.visited[0]?.searchParams.has('prompt')).toBe(false);
  });

  it('is not shown with its reason if it repeats the state', async () => {
    const web = new CodeFlowWeb();
    web.onResponse = (response) => {
      response.delete('code');
      response.set('error', 'server_error');
      response.set('error_description', `Lost ${response.get('state')}`);
    };
    const { message } = (await failureOf(send(begin(web), web))) as AuthError;
    expect(message).toBe('The authorization server refused the sign-in with server_error.');
  });
});

/** A program whose user has signed in. */
async function signedIn() {
  const web = new CodeFlowWeb();
  const clock = new FakeClock();
  const interaction = web.interaction();
  const provider = begin(web, { interaction, clock });
  await send(provider, web);
  const refreshes = () => web.at('/token').filter(({ form }) => form.grant_type === 'refresh_token').length;
  return { web, clock, interaction, provider, refreshes };
}
