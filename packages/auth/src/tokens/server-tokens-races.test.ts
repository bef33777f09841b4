import { describe, expect, it } from 'vitest';
import { Rig, refusal, serverUrl, taking } from '../../test/client/authorizer-rig.js';
import { AuthError } from '../auth-error.js';
import type { TokenSet } from '../oauth/token-set.js';
import type { AuthStore } from '../store/auth-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';

const hour = 3_600_000;
const request = { method: 'POST', url: serverUrl.href };

/** A store with changes that wait, like those of a file with a lock, and that can fail. */
class GatedStore implements AuthStore {
  readonly #memory = new MemoryAuthStore();
  #gate: Promise<void> = Promise.resolve();
  isBroken = false;

  /** Makes changes wait. @returns a function that ends the wait. */
  hold(): () => void {
    let open = () => {};
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    return open;
  }

  async get(key: string) {
    return this.#memory.get(key);
  }

  async swap(...change: Parameters<AuthStore['swap']>): Promise<boolean> {
    await this.#gate;
    if (this.isBroken) throw new Error('The disk is full.');
    return this.#memory.swap(...change);
  }
}

/** Waits for enough turns to finish all work that waits for nothing else. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Makes the authorization server accept each refresh token once. Returns the used tokens. */
function rotating(rig: Rig): string[] {
  const used: string[] = [];
  rig.answer = (form, count) => {
    const token = form.get('refresh_token') ?? '';
    if (used.includes(token)) return { status: 400, body: { error: 'invalid_grant' } };
    used.push(token);
    const next = { access_token: `refreshed-${count}`, refresh_token: `refresh-${count + 1}` };
    return { body: { ...next, token_type: 'Bearer', expires_in: 3_600 } };
  };
  return used;
}

describe('signing out', () => {
  it('does not bring tokens back while the store still deletes them', async () => {
    const store = new GatedStore();
    const rig = new Rig({ store });
    await rig.send(taking('access-1'));
    const open = store.hold();
    const out = rig.provider.signOut(serverUrl);
    rig.grant.onObtain = () => Promise.reject(new AuthError('timeout', 'The user did not sign in.'));
    const sent = rig.send(taking('access-1')).catch((error: unknown) => error);
    // Enough turns to read the entry that is still in the store.
    await turns();
    open();
    expect(await sent).toMatchObject({ reason: 'timeout' });
    await out;
    expect(rig.authorizer.authorize(request)).toBeUndefined();
  });

  it('deletes new tokens that are being stored', async () => {
    const store = new GatedStore();
    let signedIn = () => {};
    const isSignedIn = new Promise<void>((resolve) => {
      signedIn = resolve;
    });
    const rig = new Rig({ store, onEvent: ({ type }) => type === 'signed-in' && signedIn() });
    const open = store.hold();
    const sent = rig.send(taking('access-1')).catch((error: unknown) => error);
    await isSignedIn;
    const out = rig.provider.signOut(serverUrl);
    open();
    expect(await sent).toMatchObject({ reason: 'denied' });
    await out;
    expect(await new Rig({ store }).authorizer.authorize(request)).toBeUndefined();
  });

  it('rejects waiting requests at once, even if the sign-in ignores its signal', async () => {
    const rig = new Rig();
    const isAsked = new Promise<void>((resolve) => {
      rig.grant.onObtain = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const sent = rig.send(taking('access-1')).catch((error: unknown) => error);
    await isAsked;
    await rig.provider.signOut(serverUrl);
    expect(await sent).toMatchObject({ reason: 'denied' });
  });
});

describe('signing out while a sign-in is under way', () => {
  /** A rig with a sign-in that waits and ignores its signal. */
  async function signingIn(more: Partial<TokenSet> = {}) {
    const store = new MemoryAuthStore();
    const rig = new Rig({ store });
    let finish = () => {};
    const isAsked = new Promise<void>((resolve) => {
      rig.grant.onObtain = () => {
        resolve();
        return new Promise((got) => {
          finish = () => got(more);
        });
      };
    });
    const sent = rig.send(taking('access-1')).catch((error: unknown) => error);
    await isAsked;
    return { rig, store, sent, finish: () => finish() };
  }

  it.each([{}, { scopes: ['read'] }, { refreshToken: 'refresh-1', expiresAt: hour }])(
    'drops the tokens that the sign-in still brings: %j',
    async (more) => {
      const { rig, store, sent, finish } = await signingIn(more);
      await rig.provider.signOut(serverUrl);
      finish();
      expect(await sent).toMatchObject({ reason: 'denied' });
      await turns();
      expect(rig.authorizer.authorize(request)).toBeUndefined();
      expect(rig.events.map(({ type }) => type)).not.toContain('signed-in');
      expect(await new Rig({ store }).authorizer.authorize(request)).toBeUndefined();
    },
  );

  it('leaves the next sign-in alone', async () => {
    const { rig, sent, finish } = await signingIn();
    await rig.provider.signOut(serverUrl);
    await sent;
    rig.grant.onObtain = undefined;
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    finish();
    await turns();
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-2' });
  });
});

it('does not use stored tokens that were read before a sign-out', async () => {
  const memory = new MemoryAuthStore();
  await new Rig({ store: memory }).send(taking('access-1'));
  let release = () => {};
  let isReading = () => {};
  const reading = new Promise<void>((resolve) => {
    isReading = resolve;
  });
  let isHeld = true;
  const store: AuthStore = {
    get: async (entry) => {
      const found = await memory.get(entry);
      if (isHeld) {
        isReading();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      return found;
    },
    swap: (...change) => memory.swap(...change),
  };
  const rig = new Rig({ store });
  const authorized = Promise.resolve(rig.authorizer.authorize(request)).catch(() => undefined);
  await reading;
  isHeld = false;
  const out = rig.provider.signOut(serverUrl);
  release();
  await out;
  await authorized;
  expect(await rig.authorizer.authorize(request)).toBeUndefined();
});

describe('a store that fails for a moment', () => {
  it('stores refreshed tokens later, and does not use the old refresh token again', async () => {
    const store = new GatedStore();
    const rig = new Rig({ store });
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    await rig.send(taking('access-1'));
    const used = rotating(rig);
    store.isBroken = true;
    rig.clock.stall(hour - 10_000);
    expect(await rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer refreshed-1' });
    expect(rig.events.at(-1)).toMatchObject({ type: 'failed', error: { reason: 'storage' } });
    store.isBroken = false;
    rig.clock.stall(5_000);
    expect(await rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer refreshed-1' });
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer refreshed-1' });
    const other = new Rig({ store, beside: rig });
    expect(await other.authorizer.authorize(request)).toEqual({ authorization: 'Bearer refreshed-1' });
    rig.clock.stall(hour);
    expect(await rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer refreshed-2' });
    expect(used).toEqual(['refresh-1', 'refresh-2']);
  });

  it('stores refreshed tokens before the next refresh', async () => {
    const store = new GatedStore();
    const rig = new Rig({ store });
    rig.grant.gives = { refreshToken: 'refresh-1' };
    await rig.send(taking('access-1'));
    const used = rotating(rig);
    store.isBroken = true;
    await expect(rig.send(taking('refreshed-1'))).rejects.toMatchObject({ reason: 'storage' });
    store.isBroken = false;
    expect(await rig.send(taking('refreshed-2'))).toEqual({ status: 200 });
    expect(used).toEqual(['refresh-1', 'refresh-2']);
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('stores the tokens of a sign-in with the next refresh', async () => {
    const store = new GatedStore();
    const rig = new Rig({ store });
    rig.grant.gives = { refreshToken: 'refresh-1' };
    store.isBroken = true;
    await expect(rig.send(taking('access-1'))).rejects.toMatchObject({ reason: 'storage' });
    store.isBroken = false;
    rotating(rig);
    expect(await rig.send(taking('refreshed-1'))).toEqual({ status: 200 });
    expect(rig.grant.asked).toHaveLength(1);
  });
});

describe('a sign-in that ends while refreshed tokens are being stored', () => {
  it('replaces the refreshed tokens, because it has more scopes', async () => {
    const store = new GatedStore();
    let signedIn = () => {};
    const isSignedIn = new Promise<void>((resolve) => {
      signedIn = resolve;
    });
    const rig = new Rig({ store, onEvent: ({ type }) => type === 'signed-in' && signedIn() });
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour, scopes: ['read'] };
    await rig.send(taking('access-1'));
    rig.clock.stall(hour - 10_000);
    const open = store.hold();
    const isRefreshed = new Promise<void>((resolve) => {
      rig.answer = () => {
        resolve();
        return { body: { access_token: 'refreshed-1', token_type: 'Bearer', scope: 'read' } };
      };
    });
    const prepared = rig.authorizer.authorize(request);
    await isRefreshed;
    const again = new Promise<void>((resolve) => {
      signedIn = resolve;
    });
    rig.grant.gives = { scopes: ['read', 'write'] };
    const steppedUp = rig.authorizer.challenged({
      request,
      status: 403,
      authenticate: ['Bearer error="insufficient_scope", scope="write"'],
      nonce: undefined,
      sent: { authorization: 'Bearer access-1' },
      attempt: 1,
      revision: undefined,
      signal: new AbortController().signal,
    });
    await isSignedIn;
    await again;
    open();
    expect(await steppedUp).toBe(true);
    await prepared;
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-2' });
    const other = new Rig({ store, beside: rig });
    expect(await other.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-2' });
  });
});

describe('a clock that is set back', () => {
  it('does not prevent new refused tokens from being replaced', async () => {
    const rig = new Rig();
    rig.clock.stall(10 * hour);
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused' });
    rig.clock.stall(-5 * hour);
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });
});

it('ignores a listener that rejects', async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listen);
  const onEvent = () => Promise.reject(new Error('The log is full.')) as never;
  const rig = new Rig({ onEvent });
  expect(await rig.send(taking('access-1'))).toEqual({ status: 200 });
  // Node reports unhandled rejections after the current turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', listen);
  expect(unhandled).toEqual([]);
});
