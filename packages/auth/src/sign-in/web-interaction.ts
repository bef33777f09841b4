import { type Clock, optionRules, requireOptions, withDeadline } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import { secureUrl } from '../http/url-host.js';
import {
  type AuthorizationRequest,
  type DeferredSignIns,
  type Interaction,
  mostSignIns,
  notSent,
  type SignIn,
  type SignInSubject,
  tooLate,
} from '../oauth/interaction.js';
import { wallClock } from '../wall-clock.js';

/** Options of {@link webInteraction}. */
export interface WebInteractionOptions {
  /** The URL of the application that users are redirected to: https, or on this machine. */
  readonly redirectUri: string;
  /**
   * A secret of the user's browser, such as the id of its session (from a cookie that is `HttpOnly`, `Secure` and
   * `SameSite=Lax`). A sign-in can be finished only in the session in which it was started. Otherwise an attacker could make a
   * user finish the attacker's sign-in, and the user would work in the attacker's account.
   */
  readonly session: string;
  /**
   * Redirects the user's browser. The request that needs the sign-in then waits until `finish` is called in this process.
   * Without this option the request fails with an AuthError `sign-in-needed` that has the URL, and `finish` may be called in any
   * process that shares the store.
   */
  readonly onRedirect?: (url: URL, subject: SignInSubject) => void | Promise<void>;
  /** Milliseconds that a user may take to sign in; 600,000 by default. Raise it if users must enrol a second factor first. */
  readonly lifetime?: number;
  readonly clock?: Clock;
}

const rules = {
  redirectUri: optionRules.text,
  session: optionRules.text,
  onRedirect: optionRules.callable,
  lifetime: optionRules.positive,
  clock: optionRules.object,
};

/**
 * Signs users of a web application in with their browser. Make one for each browser session. After the redirect, pass the
 * URL to `finish` of the provider with the interaction of that session.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function webInteraction(options: WebInteractionOptions): Interaction {
  requireOptions('webInteraction()', options, rules);
  const { redirectUri, session, lifetime = 600_000 } = options;
  if (session === undefined) {
    throw new TypeError(
      'webInteraction(): session is missing. Pass a secret of the browser of this user, such as the id of its session.',
    );
  }
  requireRedirectUri(redirectUri);
  const deferred = options.onRedirect === undefined ? { session, lifetime } : undefined;
  return new WebInteraction(options, deferred);
}

function requireRedirectUri(redirectUri: string): void {
  if (secureUrl(redirectUri) !== undefined) return;
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
  /** By `state`. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: WebInteractionOptions, deferred: DeferredSignIns | undefined) {
    this.#options = options;
    this.deferred = deferred;
    this.redirectUris = [options.redirectUri];
    // Authorization servers allow web applications only https URLs.
    this.applicationType = new URL(options.redirectUri).protocol === 'https:' ? 'web' : 'native';
  }

  begin(subject: SignInSubject): SignIn {
    const { redirectUri } = this.#options;
    this.#requireFreeSlot();
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
        'The response to a sign-in was not used: no sign-in of this session waits for it. Start it again.',
      );
    }
    // Each sign-in accepts one response.
    this.#waiting.delete(states[0] as string);
    waiting.resolve(response);
    await waiting.over;
  }

  #requireFreeSlot(): void {
    if (this.#waiting.size < mostSignIns) return;
    throw new AuthError(
      'interaction-failed',
      `${mostSignIns} sign-ins are already waiting; finish some of them first.`,
    );
  }

  async #wait(
    { url, state, signal }: AuthorizationRequest,
    subject: SignInSubject,
    over: Promise<void>,
  ): Promise<URL> {
    const { onRedirect, lifetime = 600_000, clock = wallClock } = this.#options;
    try {
      return await withDeadline({ clock, ms: lifetime, signal, late: () => tooLate(lifetime) }, async () => {
        // Other sign-ins may have started to wait in between.
        this.#requireFreeSlot();
        const response = new Promise<URL>((resolve) => this.#waiting.set(state, { resolve, over }));
        const sent = Promise.resolve(onRedirect?.(url, subject)).then(() => response);
        return Promise.race([response, sent]);
      });
    } catch (error) {
      throw error instanceof AuthError || signal?.aborted ? error : notSent(error);
    } finally {
      this.#waiting.delete(state);
    }
  }
}
