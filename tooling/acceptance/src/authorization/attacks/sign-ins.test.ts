import {
  AuthError,
  MemoryAuthStore,
  type OauthOptions,
  type UserProvider,
  webInteraction,
} from '@tenon/mcp-auth/client';
import { expect } from 'vitest';
import { wayBack } from './browser.js';
import { type ClientRow, clientTable, expectOutcome, type Outcome } from './client-table.js';
import { handshake, type Scene, stateless } from './scene.js';

const honest: Outcome = { result: /^user of / };
const redirectUri = 'https://app.example/callback';

/** A promise, and the functions that settle it. */
function gate<T = void>(): { readonly passed: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => {};
  const passed = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** Users of a web application with a common store, each with a browser session. */
class Application {
  readonly #scene: Scene;
  readonly store = new MemoryAuthStore();
  /** The URLs users were redirected to. */
  readonly sent: URL[] = [];

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** The application's view of one browser. */
  of(session: string, options: Partial<OauthOptions> = {}): UserProvider {
    const { clock } = this.#scene;
    const interaction = webInteraction({ redirectUri, session, clock });
    return this.#scene.user({ interaction, store: this.store, account: session, ...options });
  }

  /** The same, for a request that waits. */
  waiting(session: string): UserProvider {
    const { clock } = this.#scene;
    const onRedirect = (url: URL) => void this.sent.push(url);
    return this.#scene.user({ interaction: webInteraction({ redirectUri, session, clock, onRedirect }) });
  }

  /** Connects. Returns the sign-in URL for the user. */
  async begin(provider: UserProvider): Promise<URL> {
    const scene = this.#scene;
    const error = await scene.connect(scene.url, provider).catch((thrown: unknown) => thrown);
    scene.thrown.push(error);
    if (!(error instanceof AuthError) || error.reason !== 'sign-in-needed') throw error;
    const url = new URL(error.authorizationUrl ?? '');
    scene.secrets.add('the state', url.searchParams.get('state'));
    return url;
  }
}

/** Actions in a web application. Returns the message to the user. */
const web = (
  name: string,
  act: (app: Application, scene: Scene) => Promise<unknown>,
  more: Partial<ClientRow> = {},
): ClientRow => ({
  name,
  attack: () => {},
  act: (scene) => act(new Application(scene), scene),
  outcome: { error: 'bad-response' },
  prompts: 0,
  ...more,
});

const deferred: readonly ClientRow[] = [
  web(
    'is finished by whoever began it',
    async (app, scene) => {
      const ada = app.of('ada');
      scene.auth = ada;
      await ada.finish(await wayBack(await app.begin(ada)));
      return scene.call();
    },
    { outcome: honest, grants: 1 },
  ),
  web(
    'is not finished by another browser, and then by its own',
    async (app, scene) => {
      const ada = app.of('ada');
      const back = await wayBack(await app.begin(ada));
      await expectOutcome(scene, app.of('another', { account: 'ada' }).finish(back), {
        error: 'bad-response',
        text: /another browser/,
      });
      await ada.finish(back);
      scene.auth = ada;
      return scene.call();
    },
    { outcome: honest, grants: 1 },
  ),
  web('is not finished by a browser that was sent the way back of somebody else', async (app) => {
    // A user who finished this sign-in would then use the attacker's account.
    const ada = app.of('ada');
    await app.begin(ada);
    return ada.finish(await wayBack(await app.begin(app.of('eve', { account: 'ada' }))));
  }),
  web('is not finished by another account of the same browser', async (app) => {
    const back = await wayBack(await app.begin(app.of('ada', { account: 'one' })));
    return app.of('ada', { account: 'two' }).finish(back);
  }),
  web(
    'is finished once',
    async (app) => {
      const ada = app.of('ada');
      const back = await wayBack(await app.begin(ada));
      await ada.finish(back);
      return ada.finish(back);
    },
    { grants: 1 },
  ),
  web(
    'is finished once, by whichever of ten comes first',
    async (app) => {
      const ada = app.of('ada');
      const back = await wayBack(await app.begin(ada));
      const all = await Promise.allSettled(Array.from({ length: 10 }, () => ada.finish(back)));
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      return ada.finish(back);
    },
    { grants: 1 },
  ),
  web('is not finished when its time is over', async (app, scene) => {
    const ada = app.of('ada');
    const back = await wayBack(await app.begin(ada));
    await scene.clock.advance(600_000);
    return ada.finish(back);
  }),
  web('is not finished by a response that names no state', async (app) => {
    const ada = app.of('ada');
    const back = await wayBack(await app.begin(ada));
    back.searchParams.delete('state');
    return ada.finish(back);
  }),
  web('is not finished by a response that names two', async (app) => {
    const ada = app.of('ada');
    const back = await wayBack(await app.begin(ada));
    back.searchParams.append('state', 'x');
    return ada.finish(back);
  }),
  web('is not finished by a response of another issuer, and not begun with that', async (app, scene) => {
    const ada = app.of('ada');
    const back = await wayBack(await app.begin(ada));
    back.searchParams.set('iss', scene.thief.origin);
    return ada.finish(back);
  }),
  web('leaves nothing in the store by which one could go on', async (app) => {
    const ada = app.of('ada');
    const url = await app.begin(ada);
    const state = url.searchParams.get('state') ?? '';
    // Keys of the store are not secret: knowing one does not let an attacker finish a sign-in.
    for (const key of [state, `sign-in:${state}`]) expect(app.store.get(key)).toBeUndefined();
    return ada.finish(`${redirectUri}?code=x&state=${state}x`);
  }),
];

const waiting: readonly ClientRow[] = [
  web(
    'fails when its time is over, and leaves no timer',
    async (app, scene) => {
      const call = scene.connect(scene.url, app.waiting('ada'));
      call.catch(() => {});
      await until(() => app.sent.length === 1);
      await scene.clock.advance(600_000);
      await expectOutcome(scene, call, { error: 'timeout', text: /10 minutes/ });
      const [url] = app.sent;
      return scene
        .user({ account: 'ada', interaction: webInteraction({ redirectUri, session: 'ada' }) })
        .finish(await wayBack(url as URL));
    },
    { outcome: { error: 'bad-response' } },
  ),
  web('is finished by nobody once whoever waited has gone', async (app, scene) => {
    const ada = app.waiting('ada');
    const gone = new AbortController();
    const signIn = ada.signIn(scene.url, { signal: gone.signal });
    await until(() => app.sent.length === 1);
    const back = await wayBack(app.sent[0] as URL);
    gone.abort(new Error('The user has left.'));
    await expectOutcome(scene, signIn, { error: 'Error' });
    return ada.finish(back);
  }),
  web(
    'waits in a place of its own: nobody else finishes it',
    async (app, scene) => {
      const ada = app.waiting('ada');
      const call = scene.connect(scene.url, ada);
      call.catch(() => {});
      await until(() => app.sent.length === 1);
      const back = await wayBack(app.sent[0] as URL);
      await expectOutcome(scene, app.waiting('eve').finish(back), { error: 'bad-response' });
      await ada.finish(back);
      await call;
      return 'signed in';
    },
    { outcome: { result: 'signed in' }, grants: 1 },
  ),
  web(
    'is one of thirty-two at most',
    async (app, scene) => {
      const ada = app.waiting('ada');
      scene.place.intercept = ({ url = '' }, response) => {
        if (!url.startsWith('/.well-known')) return false;
        const query = url.split('?')[1] ?? '';
        const document = { resource: `${scene.url}?${query}`, authorization_servers: [scene.issuer.issuer] };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
        return true;
      };
      const many = Array.from({ length: 33 }, (_, n) => ada.signIn(`${scene.url}?${n}`));
      for (const one of many) one.catch(() => {});
      const failed = await Promise.race(many);
      await ada.signOut();
      return failed;
    },
    { outcome: { error: 'interaction-failed' } },
  ),
];

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** Something happens while the user is at the authorization server. */
const meanwhile = (
  name: string,
  happens: (scene: Scene) => unknown,
  more: Partial<ClientRow>,
): ClientRow => ({
  name,
  attack: (scene) => {
    scene.browser.tamper = async (back) => {
      scene.browser.tamper = undefined;
      await happens(scene);
      return back;
    };
  },
  outcome: { error: 'denied', text: /Signed out/ },
  prompts: 1,
  grants: 0,
  ...more,
});

const signOut = (scene: Scene) => scene.auth.signOut(scene.url);
const withStore = (row: ClientRow): ClientRow => {
  const store = new MemoryAuthStore();
  return {
    ...row,
    attack: async (scene) => {
      scene.auth = scene.user({ store });
      await row.attack(scene);
    },
    afterwards: async (scene) => {
      // No sign-in was stored: the next call starts one.
      scene.auth = scene.user({ store });
      const { prompts } = scene;
      await scene.connect();
      expect(scene.prompts).toBe(prompts + 1);
    },
  };
};

/** Signs out while the token endpoint is being asked, which answers only then. */
function signOutWhileAsked(scene: Scene): void {
  const token = gate();
  const left = gate();
  scene.behave({
    onToken: async () => {
      token.open();
      await left.passed;
      return undefined;
    },
  });
  void token.passed.then(async () => {
    scene.behave({ onToken: () => undefined });
    await signOut(scene);
    left.open();
  });
}

const leaving: readonly ClientRow[] = [
  withStore(meanwhile('while the user signs in', signOut, { ways: [stateless, handshake] })),
  withStore({
    name: 'while the code is redeemed',
    attack: (scene) => {
      signOutWhileAsked(scene);
    },
    outcome: { error: 'denied', text: /Signed out/ },
    prompts: 1,
    ways: [stateless, handshake],
  }),
  {
    name: 'while a token is refreshed',
    settings: { issuer: { lifetimes: { accessToken: 60_000 } } },
    attack: async (scene) => {
      await scene.call();
      await scene.clock.advance(120_000);
      signOutWhileAsked(scene);
    },
    // The next sign-in starts fresh, without the old tokens.
    outcome: honest,
    prompts: 2,
    grants: 3,
  },
];

/** No code arrives for a sign-in that was not started. */
const endings: readonly ClientRow[] = [
  {
    name: 'of a client that gives up connecting is given up',
    attack: () => {},
    act: async (scene) => {
      const begun = gate();
      scene.browser.tamper = () => {
        begun.open();
        return new Promise<never>(() => {});
      };
      const gone = new AbortController();
      const call = scene.connect(scene.url, scene.auth, { signal: gone.signal });
      call.catch(() => {});
      await begun.passed;
      gone.abort(new Error('Enough.'));
      await expectOutcome(scene, call, { error: 'SessionError', text: /cancelled by its caller/ });
      await until(() => scene.browser.signals[0]?.aborted === true);
      return 'given up';
    },
    outcome: { result: 'given up' },
    prompts: 1,
    grants: 0,
  },
  {
    name: 'that one of two waits for goes on when the other gives up',
    attack: () => {},
    act: async (scene) => {
      const begun = gate();
      const back = gate();
      scene.browser.tamper = async (url) => {
        begun.open();
        await back.passed;
        return url;
      };
      const gone = new AbortController();
      const one = scene.auth.signIn(scene.url, { signal: gone.signal });
      one.catch(() => {});
      await begun.passed;
      const two = scene.auth.signIn(scene.url);
      await scene.clock.advance(0);
      gone.abort(new Error('Enough.'));
      await expectOutcome(scene, one, { error: 'Error', text: /Enough/ });
      back.open();
      await two;
      return scene.call();
    },
    outcome: honest,
    prompts: 1,
    grants: 1,
  },
];

clientTable('sign-ins that somebody else ends, or nobody', {
  'a sign-in of a web application': deferred,
  'a sign-in that is waited for': waiting,
  'a user signs out': leaving,
  'a sign-in': endings,
});
