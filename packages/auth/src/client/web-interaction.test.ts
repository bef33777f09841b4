import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/manual-clock.js';
import { AuthError } from '../auth-error.js';
import type { Interaction } from './interaction.js';
import { type WebInteractionOptions, webInteraction } from './web-interaction.js';

const redirectUri = 'https://app.example/callback';
const subject = { resource: 'https://mcp.example/mcp', issuer: 'https://auth.example', scopes: ['read'] };
const url = new URL('https://auth.example/authorize?state=s1');
const response = new URL(`${redirectUri}?state=s1&code=c1`);

function web(more: Partial<WebInteractionOptions> = {}): {
  interaction: Interaction;
  sent: URL[];
  clock: ManualClock;
} {
  const sent: URL[] = [];
  const clock = new ManualClock();
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

describe('webInteraction that waits', () => {
  it('sends the user there, and gives what he comes back with', async () => {
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

  it('tells the page that the user comes back to how it ended', async () => {
    const { interaction } = web();
    const signIn = await interaction.begin(subject);
    const coming = signIn.authorize({ url, state: 's1' });
    const finished = finish(interaction, response);
    await coming;
    const failure = new AuthError('unreachable', 'No tokens today.');
    await signIn.end(failure);
    await expect(finished).rejects.toBe(failure);
  });

  it('takes one response, and none for a sign-in that it knows nothing of', async () => {
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

  it('waits ten minutes, and no longer than the sign-in is wanted', async () => {
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

  it('says so when the user cannot be sent', async () => {
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

  it('bounds how many wait', async () => {
    const { interaction } = web({ waiting: 1 });
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
  it('without onRedirect waits for nobody', () => {
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
  ])('refuses to have users sent back to %s', (address) => {
    expect(() => webInteraction({ redirectUri: address, session: 'a' })).toThrow(TypeError);
  });

  it('takes no sign-in that is bound to no browser, and no option that is misspelt', () => {
    expect(() => webInteraction({ redirectUri } as WebInteractionOptions)).toThrow('session is missing');
    expect(() => webInteraction({ redirectUri, session: '' })).toThrow(TypeError);
    expect(() => webInteraction({ redirectUri, session: 'a', lifetme: 5 } as WebInteractionOptions)).toThrow(
      'there is no option "lifetme"',
    );
    expect(() => webInteraction({ redirectUri, session: 'a', lifetime: 0 })).toThrow(RangeError);
  });
});
