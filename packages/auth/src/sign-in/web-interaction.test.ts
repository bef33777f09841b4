import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { AuthError } from '../auth-error.js';
import type { Interaction } from '../oauth/interaction.js';
import { type WebInteractionOptions, webInteraction } from './web-interaction.js';

const redirectUri = 'https://app.example/callback';
const subject = { resource: 'https://mcp.example/mcp', issuer: 'https://auth.example', scopes: ['read'] };
const url = new URL('https://auth.example/authorize?state=s1');
const response = new URL(`${redirectUri}?state=s1&code=c1`);

function web(more: Partial<WebInteractionOptions> = {}): {
  interaction: Interaction;
  sent: URL[];
  clock: FakeClock;
} {
  const sent: URL[] = [];
  const clock = new FakeClock();
  const onRedirect = (address: URL) => void sent.push(address);
  return {
    interaction: webInteraction({ redirectUri, session: 'a', onRedirect, clock, ...more }),
    sent,
    clock,
  };
}

function finish(interaction: Interaction, address: URL): Promise<void> {
  return interaction.finish?.(address) ?? Promise.reject(new Error('There is no finish.'));
}

describe('webInteraction with onRedirect', () => {
  it('redirects the user, and returns the response', async () => {
    const { interaction, sent, clock } = web();
    const signIn = await interaction.begin(subject);
    expect(signIn.redirectUri).toBe(redirectUri);
    const coming = signIn.authorize({ url, state: 's1' });
    expect(sent).toEqual([url]);
    const finished = finish(interaction, response);
    expect(await coming).toEqual(response);
    expect(clock.waiting).toEqual([]);
    await signIn.end();
    await finished;
  });

  it('rejects finish() with the error of the sign-in', async () => {
    const { interaction } = web();
    const signIn = await interaction.begin(subject);
    const coming = signIn.authorize({ url, state: 's1' });
    const finished = finish(interaction, response);
    await coming;
    const failure = new AuthError('unreachable', 'No tokens today.');
    await signIn.end(failure);
    await expect(finished).rejects.toBe(failure);
  });

  it('accepts one response, and only for a sign-in that waits', async () => {
    const { interaction } = web();
    const signIn = await interaction.begin(subject);
    const coming = signIn.authorize({ url, state: 's1' });
    for (const query of ['', '?code=c1', '?state=s2&code=c1', '?state=s1&state=s1&code=c1']) {
      const stray = finish(interaction, new URL(redirectUri + query));
      await expect(stray).rejects.toMatchObject({ reason: 'bad-response' });
    }
    const finished = finish(interaction, response);
    await expect(finish(interaction, response)).rejects.toMatchObject({ reason: 'bad-response' });
    await coming;
    await signIn.end();
    await finished;
  });

  it('waits for ten minutes, or until the signal aborts', async () => {
    const { interaction, clock } = web();
    const signIn = await interaction.begin(subject);
    const late = signIn.authorize({ url, state: 's1' });
    clock.stall(0);
    expect(clock.waiting).toEqual([600_000]);
    const [outcome] = await Promise.allSettled([late, clock.advance(600_000)]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { reason: 'timeout' } });
    await expect(finish(interaction, response)).rejects.toMatchObject({ reason: 'bad-response' });
    const controller = new AbortController();
    const unwanted = signIn.authorize({ url, state: 's2', signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(unwanted).rejects.toThrow('gone');
    expect(clock.waiting).toEqual([]);
  });

  it('throws interaction-failed if the user cannot be redirected', async () => {
    const cause = new Error('headers are sent');
    for (const onRedirect of [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ]) {
      const { interaction } = web({ onRedirect });
      const signIn = await interaction.begin(subject);
      const sending = signIn.authorize({ url, state: 's1' });
      await expect(sending).rejects.toMatchObject({ reason: 'interaction-failed', cause });
    }
  });

  it('limits the number of waiting sign-ins', async () => {
    const { interaction } = web();
    for (let other = 1; other < 32; other++) {
      void (await interaction.begin(subject)).authorize({ url, state: `other ${other}` });
    }
    const first = (await interaction.begin(subject)).authorize({ url, state: 's1' });
    expect(() => interaction.begin(subject)).toThrow(
      expect.objectContaining({ reason: 'interaction-failed' }),
    );
    const signIn = finish(interaction, response);
    await first;
    void signIn;
    await interaction.begin(subject);
  });
});

describe('webInteraction', () => {
  it('defers sign-ins without onRedirect', () => {
    const interaction = webInteraction({ redirectUri, session: 'a', lifetime: 5 });
    expect(interaction.deferred).toEqual({ session: 'a', lifetime: 5 });
    expect(web().interaction.deferred).toBeUndefined();
  });

  it.each([
    [redirectUri, 'web'],
    ['http://localhost:3000/callback', 'native'],
    ['http://127.0.0.1/callback', 'native'],
  ])('registers %s as %s', (address, applicationType) => {
    const interaction = webInteraction({ redirectUri: address, session: 'a' });
    expect(interaction).toMatchObject({ redirectUris: [address], applicationType });
  });

  it.each([
    'http://app.example/callback',
    'javascript:alert(1)',
    '/callback',
    'https://app.example/callback#here',
    'https://user@app.example/callback',
  ])('rejects the redirect URI %s', (address) => {
    expect(() => webInteraction({ redirectUri: address, session: 'a' })).toThrow(TypeError);
  });

  it('requires a session, and rejects unknown options', () => {
    expect(() => webInteraction({ redirectUri } as WebInteractionOptions)).toThrow('session is missing');
    expect(() => webInteraction({ redirectUri, session: '' })).toThrow(TypeError);
    expect(() => webInteraction({ redirectUri, session: 'a', lifetme: 5 } as WebInteractionOptions)).toThrow(
      'there is no option "lifetme"',
    );
    expect(() => webInteraction({ redirectUri, session: 'a', lifetime: 0 })).toThrow(RangeError);
  });
});
