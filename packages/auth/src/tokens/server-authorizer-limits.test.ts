import { otherBounds } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import { Rig, refusal, taking, tooFew } from '../../test/client/authorizer-rig.js';
import { AuthError } from '../auth-error.js';

describe('ServerAuthorizer after a refusal', () => {
  it('does not start a second sign-in if the new token is refused', async () => {
    const rig = new Rig();
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused', status: 401 });
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('includes the description of the server in the error, unless it contains the token', async () => {
    const saying = (text: string) => () => ({
      status: 401,
      authenticate: `Bearer error="invalid_token", error_description="${text}"`,
    });
    await expect(new Rig().send(saying('The token is for another server.'))).rejects.toThrow(
      'The server says: "The token is for another server.".',
    );
    await expect(new Rig().send(saying('What is access-1?'))).rejects.toThrow(/has no access\.$/);
  });

  it('does not start a sign-in for another request until the pause is over', async () => {
    const rig = new Rig();
    await expect(rig.send(() => refusal)).rejects.toThrow(AuthError);
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused' });
    expect(rig.grant.asked).toHaveLength(1);
    rig.clock.stall(60_000);
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.grant.asked).toHaveLength(2);
  });

  it('starts another sign-in if the server requires scopes that were not requested', async () => {
    const rig = new Rig();
    const authenticate = 'Bearer error="invalid_token", scope="more"';
    const reply = await rig.send((token) =>
      token === 'access-2'
        ? { status: 200 }
        : { status: 401, authenticate: token === undefined ? 'Bearer scope="some"' : authenticate },
    );
    expect(reply).toEqual({ status: 200 });
    expect(rig.scopes).toEqual([['some'], ['more', 'some']]);
  });

  it('gives up after three authorizations of one request', async () => {
    const rig = new Rig();
    let count = 0;
    const server = () => ({ status: 401, authenticate: `Bearer scope="scope-${count++}"` });
    await expect(rig.send(server)).rejects.toMatchObject({ reason: 'refused', status: 401 });
    expect(rig.grant.asked).toHaveLength(3);
    const steps = new Rig(otherBounds({ maxAttempts: 2 }));
    const stepping = () => tooFew(`scope-${count++}`);
    await expect(steps.send(stepping)).rejects.toMatchObject({ reason: 'refused', status: 403 });
    expect(steps.grant.asked).toHaveLength(2);
  });

  it('gives up at once for a grant without users', async () => {
    const rig = new Rig();
    rig.grant.interactive = false;
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused' });
    expect(rig.grant.asked).toHaveLength(1);
  });
});
