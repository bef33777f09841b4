import { describe, expect, it } from 'vitest';
import { Rig, refusal, serverUrl, taking } from '../../test/authorizer-rig.js';
import { AuthError } from '../auth-error.js';
import type { AuthStore } from './auth-store.js';
import { MemoryAuthStore } from './memory-store.js';

const hour = 3_600_000;
const request = { method: 'POST', url: serverUrl.href };

/** A store whose changes wait at a gate, as those of a file wait for a lock, and which fails when it is told to. */
class GatedStore implements AuthStore {
  readonly #memory = new MemoryAuthStore();
  #gate: Promise<void> = Promise.resolve();
  isBroken = false;

  /** Has changes wait. @returns what lets them pass. */
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

/** An authorization server that takes each refresh token once, and gives the next. */
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
  it('does not bring tokens back to a request that is refused while the store still removes them', async () => {
    const store = new GatedStore();
    const rig = new Rig({ store });
    await rig.send(taking('access-1'));
    const open = store.hold();
    const out = rig.provider.signOut(serverUrl);
    rig.grant.onObtain = () => Promise.reject(new AuthError('timeout', 'Nobody signed in.'));
    const sent = rig.send(taking('access-1')).catch((error: unknown) => error);
    // Turns enough to read what is still there.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    open();
    expect(await sent).toMatchObject({ reason: 'timeout' });
    await out;
    expect(rig.authorizer.authorize(request)).toBeUndefined();
  });

  it('while new tokens are being kept leaves none of them behind', async () => {
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

  it('is heard at once by requests whose sign-in does not end by being told to', async () => {
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

describe('a store that fails for a moment', () => {
  it('has refreshed tokens kept later, and the refresh token that was used up is not used again', async () => {
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

  it('has refreshed tokens kept before they are refreshed again because they were refused', async () => {
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

  it('has the tokens of a sign-in kept when they are refreshed', async () => {
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

describe('a sign-in that ends while a refresh is being kept', () => {
  it('is what requests are sent with from then on: it has more scopes', async () => {
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
  it('does not keep new tokens that were refused from being replaced for all that time', async () => {
    const rig = new Rig();
    rig.clock.stall(10 * hour);
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused' });
    rig.clock.stall(-5 * hour);
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });
});

it('a listener that fails later ends nothing', async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listen);
  const onEvent = () => Promise.reject(new Error('The log is full.')) as never;
  const rig = new Rig({ onEvent });
  expect(await rig.send(taking('access-1'))).toEqual({ status: 200 });
  // Node tells of rejections once the present turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', listen);
  expect(unhandled).toEqual([]);
});
