import type { Clock } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { AuthError } from '../auth-error.js';
import { wallClock } from '../wall-clock.js';
import type {
  AuthorizationRequest,
  DeferredSignIns,
  Interaction,
  SignIn,
  SignInSubject,
} from './interaction.js';
import { isPrivateWay } from './private-way.js';
import { signInWait } from './sign-in-wait.js';

/** How users of a web application sign in. */
export interface WebInteractionOptions {
  /** Address of the application's page that users are sent back to: https, or on this machine. */
  readonly redirectUri: string;
  /**
   * What only this user's browser shows to the application, such as the id of its session (from a cookie that is `HttpOnly`,
   * `Secure` and `SameSite=Lax`). A sign-in that was begun under one session is finished under the same one alone: else
   * somebody could have a user finish the sign-in of somebody else, and work in a stranger's account.
   */
  readonly session: string;
  /**
   * Sends the user's browser to an address, and the request that needs it waits until `finish` is called in this process.
   * Without it, nobody waits: the request fails with an AuthError `sign-in-needed` that has the address, and `finish` may be
   * called in any process that shares the store.
   */
  readonly onRedirect?: (url: URL, subject: SignInSubject) => void | Promise<void>;
  /** Milliseconds that a user may take to sign in; 600,000 by default. */
  readonly lifetime?: number;
  /** Sign-ins that wait at the same time; 32 by default. */
  readonly waiting?: number;
  readonly clock?: Clock;
}

const rules = {
  redirectUri: optionRules.text,
  session: optionRules.text,
  onRedirect: optionRules.callable,
  lifetime: optionRules.positive,
  waiting: optionRules.positive,
  clock: optionRules.object,
};

/**
 * Lets users of a web application sign in with the browser they use it with. Make one for each browser session; give what a
 * user is sent back with to `finish` of the provider that has the one of his session.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function webInteraction(options: WebInteractionOptions): Interaction {
  requireOptions('webInteraction()', options, rules);
  const { redirectUri, session, lifetime = 600_000 } = options;
  if (session === undefined) {
    throw new TypeError(
      'webInteraction(): session is missing. Give what only the browser of this user shows, such as the id of its session.',
    );
  }
  requireRedirectUri(redirectUri);
  const deferred = options.onRedirect === undefined ? { session, lifetime } : undefined;
  return new WebInteraction(options, deferred);
}

function requireRedirectUri(redirectUri: string): void {
  const url = isUrl(redirectUri) ? new URL(redirectUri) : undefined;
  if (url !== undefined && isPrivateWay(url) && url.hash === '' && url.username === '') return;
  throw new TypeError(
    'webInteraction(): redirectUri must be an https address of the application, or one on this machine, without a fragment.',
  );
}

interface Waiting {
  readonly resolve: (response: URL) => void;
  readonly over: Promise<void>;
}

class WebInteraction implements Interaction {
  readonly redirectUris: readonly string[];
  readonly applicationType: 'native' | 'web';
  readonly deferred: DeferredSignIns | undefined;
  readonly #options: WebInteractionOptions;
  /** By their state. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: WebInteractionOptions, deferred: DeferredSignIns | undefined) {
    this.#options = options;
    this.deferred = deferred;
    this.redirectUris = [options.redirectUri];
    // Authorization servers let web applications have https addresses alone.
    this.applicationType = new URL(options.redirectUri).protocol === 'https:' ? 'web' : 'native';
  }

  begin(subject: SignInSubject): SignIn {
    const { redirectUri } = this.#options;
    this.#requireRoom();
    let settle: (failure?: unknown) => void = () => {};
    const over = new Promise<void>((resolve, reject) => {
      settle = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
    over.catch(() => {});
    return {
      redirectUri,
      authorize: (request) => this.#wait(request, subject, over),
      end: (failure) => settle(failure),
    };
  }

  async finish(response: URL): Promise<void> {
    const states = response.searchParams.getAll('state');
    const waiting = states.length === 1 ? this.#waiting.get(states[0] as string) : undefined;
    if (waiting === undefined) {
      throw new AuthError(
        'bad-response',
        'The response to a sign-in was not used: none waits for it here, under this session. Start it again.',
      );
    }
    // It is good for one response.
    this.#waiting.delete(states[0] as string);
    waiting.resolve(response);
    await waiting.over;
  }

  #requireRoom(): void {
    const { waiting = 32 } = this.#options;
    if (this.#waiting.size < waiting) return;
    throw new AuthError('interaction-failed', `${waiting} sign-ins wait already; finish some of them first.`);
  }

  async #wait(
    { url, state, signal }: AuthorizationRequest,
    subject: SignInSubject,
    over: Promise<void>,
  ): Promise<URL> {
    const { onRedirect, lifetime = 600_000, clock = wallClock } = this.#options;
    const wait = signInWait({ clock, patience: lifetime, signal });
    try {
      // Others may have begun at the same time.
      this.#requireRoom();
      const response = new Promise<URL>((resolve) => this.#waiting.set(state, { resolve, over }));
      const sent = Promise.resolve(onRedirect?.(url, subject)).then(() => response);
      return await Promise.race([response, sent, wait.over]);
    } catch (error) {
      throw error instanceof AuthError || signal?.aborted ? error : notSent(error);
    } finally {
      wait.stop();
      this.#waiting.delete(state);
    }
  }
}

function notSent(cause: unknown): AuthError {
  return new AuthError('interaction-failed', 'The user could not be sent to sign in; the cause says why.', {
    cause,
  });
}
