import { beforeEach, describe, expect, it } from 'vitest';
import { codes, DeviceRig } from '../../test/client/device-rig.js';

let rig: DeviceRig;

beforeEach(() => {
  rig = new DeviceRig();
});

describe('an answer of a device authorization endpoint', () => {
  it.each([
    ['a user code with a control character', { user_code: 'AB\u001b[2JCD' }, 'unreachable', 'user_code'],
    ['a user code with a change of direction', { user_code: 'AB\u202eCD' }, 'unreachable', 'user_code'],
    ['a user code of two lines', { user_code: 'AB\nCD' }, 'unreachable', 'user_code'],
    ['a huge user code', { user_code: 'A'.repeat(65) }, 'unreachable', 'user_code'],
    ['no user code', { user_code: '' }, 'unreachable', 'user_code'],
    ['a huge device code', { device_code: 'A'.repeat(4_097) }, 'unreachable', 'device_code'],
    ['no device code', { device_code: 7 }, 'unreachable', 'device_code'],
    ['a script', { verification_uri: 'javascript:alert(1)' }, 'forbidden-address', 'not a web address'],
    ['http', { verification_uri: 'http://auth.example/code' }, 'forbidden-address', 'not https'],
    ['a user name', { verification_uri: 'https://a@auth.example/' }, 'forbidden-address', 'user name'],
    [
      'a control character',
      { verification_uri: 'https://a.example/\u001b[2J' },
      'forbidden-address',
      'ASCII',
    ],
    [
      'a huge URL',
      { verification_uri: `https://a.example/${'a'.repeat(2_048)}` },
      'forbidden-address',
      'URL',
    ],
    ['no URL', { verification_uri: undefined }, 'forbidden-address', 'verification_uri'],
    [
      'another script',
      { verification_uri_complete: 'javascript:alert(1)' },
      'forbidden-address',
      'verification_uri_complete',
    ],
  ])('is refused with %s, and the user sees none of it', async (...[, change, reason, text]) => {
    rig.web.onDevice = () => ({ body: { ...codes, ...change } });
    const error = await rig.failure();
    expect(error).toMatchObject({ reason, message: expect.stringContaining(text) });
    expect((error as Error).message).toMatch(/^[ -~]{1,400}$/);
    expect(rig.shown).toEqual([]);
    expect(rig.web.at('/token')).toEqual([]);
  });

  it('may have http at a trusted origin, and no complete URL', async () => {
    const verification_uri = 'http://auth.internal/code';
    rig.web.onDevice = () => ({ body: { ...codes, verification_uri, verification_uri_complete: null } });
    await rig.signIn({ allow: ['http://auth.internal'] });
    expect(rig.shown[0]?.verificationUri.href).toBe(verification_uri);
    expect(rig.shown[0]?.verificationUriComplete).toBeUndefined();
  });

  it('is in the error if it is a refusal', async () => {
    rig.web.onDevice = () => ({
      status: 400,
      body: { error: 'invalid_scope', error_description: '\u001b[31mNo.' },
    });
    expect(await rig.failure()).toMatchObject({
      reason: 'denied',
      message: 'https://auth.example refused the device authorization request with invalid_scope: No.',
    });
  });
});
