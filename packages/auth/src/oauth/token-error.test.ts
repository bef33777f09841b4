import { describe, expect, it } from 'vitest';
import { errorCode, tokenError } from './token-error.js';

const origin = 'https://auth.example';
const secret = 'Tq7_client-secret.of/this+program';
const assertion = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ3b3JrbG9hZCJ9.c2lnbmF0dXJlLW9mLXRoaXM';

function refusal(body: unknown, status = 400, secrets: readonly string[] = [secret, assertion]) {
  return tokenError({ answer: { status, text: '' }, body, origin, secrets });
}

describe('tokenError', () => {
  it.each([
    ['access_denied', 400, 'denied'],
    ['invalid_grant', 400, 'denied'],
    ['invalid_client', 401, 'denied'],
    ['invalid_scope', 400, 'denied'],
    ['invalid_target', 400, 'denied'],
    ['unauthorized_client', 400, 'denied'],
    ['of_their_own', 400, 'denied'],
    ['unsupported_grant_type', 400, 'unsupported'],
    ['temporarily_unavailable', 503, 'unreachable'],
    ['of_their_own', 502, 'unreachable'],
    ['of_their_own', 429, 'unreachable'],
    ['use_dpop_nonce', 400, 'refused'],
  ])('maps %s with HTTP %i to the reason %s', (error, status, reason) => {
    expect(refusal({ error }, status)).toMatchObject({ reason, oauthError: error, answerStatus: status });
  });

  it('includes the description of the server as one short line without control characters', () => {
    const error_description = `The \u001b[31mgrant\u202e\n\thas   expired. ${'x '.repeat(500)}`;
    const { message } = refusal({ error: 'invalid_grant', error_description });
    expect(message).toMatch(/^https:\/\/auth\.example .* invalid_grant: The grant has expired\. x x/);
    expect(message).toMatch(/^[ -~]*$/);
    expect(message.length).toBeLessThan(300);
  });

  it.each([
    ['whole', `bad assertion ${assertion}`],
    ['form-encoded', `bad value ${encodeURIComponent(secret)}`],
    ['in part', `bad assertion ${assertion.slice(0, 40)}... seen`],
    ['in its middle', `at ${assertion.slice(25, 40)}`],
    ['behind invisible characters', `bad ${secret.slice(0, 9)}\u0000${secret.slice(9)}`],
    ['at the cut of the text', `${'y '.repeat(90)}${assertion}`],
    ['after the part that is read', `${'y '.repeat(80)}${'z'.repeat(4_000)}${secret}`],
  ])('drops a description that contains a secret %s', (_how, error_description) => {
    const { message } = refusal({ error: 'invalid_grant', error_description });
    for (const text of [secret, assertion]) {
      for (let at = 0; at + 8 <= text.length; at++) expect(message).not.toContain(text.slice(at, at + 8));
    }
  });

  it.each([
    ['ab+c/d', 'saw ab+c/d there'],
    ['ab c+d', 'saw ab%20c%2Bd there'],
    ['ab c+d', 'saw ab+c%2Bd there'],
  ])('drops a description with the short secret %j, in any encoding', (short, error_description) => {
    const { message } = refusal({ error: 'invalid_grant', error_description }, 400, [short]);
    expect(message).not.toContain('saw');
  });

  it('drops an error code that is a secret', () => {
    const shaped = 'secret-in-the-shape-of-a-code';
    const error = refusal({ error: shaped }, 400, [shaped]);
    expect(error.oauthError).toBeUndefined();
    expect(error.message).not.toContain(shaped);
    // A standard code is no secret, even if a client chose it as one.
    expect(refusal({ error: 'invalid_grant' }, 400, ['invalid_grant']).oauthError).toBe('invalid_grant');
  });

  it('redacts other credentials in the description', () => {
    const other = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm90aGVyIG9uZSJ9.bm90IG9mIG91cnM';
    const { message } = refusal({ error: 'invalid_grant', error_description: `seen ${other}` });
    expect(message).not.toContain('eyJ');
  });

  it.each([
    [{ error: 'with space' }],
    [{ error: 'line\nend' }],
    [{ error: 'x'.repeat(65) }],
    [{ error: 7 }],
    [{ error: { code: 'invalid_grant' } }],
    [{}],
    [[]],
    ['invalid_grant'],
    [null],
    [undefined],
  ])('finds no code in %j', (body) => {
    expect(errorCode(body, [])).toBeUndefined();
    expect(refusal(body)).toMatchObject({ reason: 'unreachable', oauthError: undefined });
  });

  it.each([
    ['in a member', { detail: `No ${assertion}` }, ''],
    ['in an object', { error: { message: `No ${assertion}` } }, ''],
    ['in plain text', undefined, `No ${assertion}`],
  ])('drops the text of an error without a code that contains a secret %s', (_how, body, text) => {
    const { message } = tokenError({ answer: { status: 400, text }, body, origin, secrets: [assertion] });
    expect(message).toBe(
      'https://auth.example answered the token request with HTTP 400 and an unusable body.',
    );
  });

  it('says that a redirect is not followed', () => {
    expect(refusal(undefined, 307).message).toContain('redirect');
  });
});
