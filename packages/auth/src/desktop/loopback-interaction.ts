import process from 'node:process';
import {
  type Clock,
  detach,
  optionRules,
  requireOptions,
  systemClock,
  withDeadline,
} from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import {
  type AuthorizationRequest,
  type Interaction,
  mostSignIns,
  type SignIn,
  type SignInSubject,
  tooLate,
} from '../oauth/interaction.js';
import { browserCommand, noBrowserReason, openableAddress, runBrowser } from './browser.js';
import { LoopbackServer } from './loopback-server.js';
import { type RedirectAddress, redirectAddress, requireRedirectAddress } from './redirect-address.js';
import { deviceNotice, type NoticeFacts, type SignInNotice, signInNotice } from './sign-in-notice.js';
import { type SignInPages, signInPages } from './sign-in-pages.js';

/** Options of {@link desktopInteraction}. */
export interface DesktopInteractionOptions {
  /** The name of the program on the pages that the browser shows after the sign-in. */
  readonly name?: string | undefined;
  /**
   * Opens a URL in a browser; false leaves that to the user. Default: opens the default browser, unless the program runs without
   * a screen, under SSH, in WSL or in CI.
   */
  readonly open?: ((url: string) => void | Promise<void>) | false | undefined;
  /**
   * True if the user signs in with a code on another device, such as a phone: for machines without a browser. Opens no browser and
   * no port. Default: false.
   */
  readonly device?: boolean | undefined;
  /** Called with the URL of each sign-in, and again if no browser could be opened. Default: writes the notice to stderr. */
  readonly onUrl?: ((notice: SignInNotice) => void) | undefined;
  /** Milliseconds that a user may take to sign in; 300,000 by default, with `device` until the code expires. */
  readonly timeout?: number | undefined;
  /**
   * The redirect URI: with 127.0.0.1, [::1] or localhost; `http://127.0.0.1/callback` by default. Without a port any free port is
   * used; set a port for authorization servers that do not allow that.
   */
  readonly redirectUri?: string | undefined;
  /** Replaces the default pages, each by a whole HTML document. */
  readonly pages?: Partial<SignInPages> | undefined;
  /** Hosts or origins of authorization servers that are trusted although they are not https, as in the options of the provider. */
  readonly allow?: readonly string[] | undefined;
  /** The clock for time limits. */
  readonly clock?: Clock | undefined;
}

const { text, texts, positive, object } = optionRules;
const rules = {
  ...{ name: text, timeout: positive, redirectUri: text, allow: texts, clock: object },
  open: {
    is: 'a function, or false',
    allows: (value: unknown) => value === false || typeof value === 'function',
  },
  onUrl: optionRules.callable,
  device: optionRules.flag,
  pages: object,
};

/**
 * Signs users in with the browser of this machine, which is redirected to a port that is open during the sign-in.
 * https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 * @throws TypeError or RangeError if an option is invalid.
 */
export function desktopInteraction(options: DesktopInteractionOptions = {}): Interaction {
  requireOptions('desktopInteraction()', options, rules);
  const { name = 'the program', pages = {}, redirectUri = 'http://127.0.0.1/callback' } = options;
  requireOptions('desktopInteraction(): pages', pages, { signedIn: text, refused: text, failed: text });
  const address = requireRedirectAddress(redirectUri);
  return new DesktopInteraction(options, { address, redirectUri, pages: { ...signInPages(name), ...pages } });
}

interface Way {
  readonly address: RedirectAddress;
  readonly redirectUri: string;
  readonly pages: SignInPages;
}

class DesktopInteraction implements Interaction {
  readonly applicationType = 'native';
  readonly redirectUris: readonly string[];
  readonly device: Interaction['device'];
  readonly #options: DesktopInteractionOptions;
  readonly #way: Way;
  #waiting = 0;

  constructor(options: DesktopInteractionOptions, way: Way) {
    this.redirectUris = [way.redirectUri];
    this.#options = options;
    this.#way = way;
    const { device, timeout, allow, onUrl = write } = options;
    if (device === true) this.device = { show: (code) => onUrl(deviceNotice(code, allow)), timeout };
  }

  async begin(subject: SignInSubject): Promise<SignIn> {
    const { pages } = this.#way;
    if (this.#waiting >= mostSignIns) {
      throw new AuthError(
        'interaction-failed',
        `${mostSignIns} sign-ins are already waiting; finish some of them first.`,
      );
    }
    this.#waiting++;
    const over = () => {
      this.#waiting--;
    };
    const server = await this.#listen(subject).catch((error: unknown) => {
      over();
      throw error;
    });
    return {
      redirectUri: server.redirectUri,
      authorize: (request) => this.#authorize(request, subject, server),
      end: (failure) => server.close(pages[outcome(failure)]).finally(over),
    };
  }

  accepts(redirectUri: string): boolean {
    return redirectAddress(redirectUri) !== undefined;
  }

  /** Returns the redirect URI as it is, and with a port that is free. Later sign-ins use that port if it is still free. */
  async urisToRegister(): Promise<readonly string[]> {
    const { address, redirectUri } = this.#way;
    if (address.port !== 0) return [redirectUri];
    const server = await LoopbackServer.listen(address);
    await server.close();
    return [server.redirectUri, redirectUri];
  }

  /** Listens at the first registered redirect URI that is free, those with a port first. */
  async #listen({ redirectUris }: SignInSubject): Promise<LoopbackServer> {
    const registered = redirectUris?.map((uri) => redirectAddress(uri)).filter((one) => one !== undefined);
    const addresses = registered ?? [this.#way.address];
    const [first = this.#way.address, ...others] = [
      ...addresses.filter(({ port }) => port !== 0),
      ...addresses.filter(({ port }) => port === 0),
    ];
    let listening = LoopbackServer.listen(first);
    for (const other of others) listening = listening.catch(() => LoopbackServer.listen(other));
    return listening;
  }

  async #authorize(
    { url, state, signal }: AuthorizationRequest,
    subject: SignInSubject,
    server: LoopbackServer,
  ): Promise<URL> {
    const { timeout = 300_000, clock = systemClock, allow } = this.#options;
    signal?.throwIfAborted();
    const address = openableAddress(url, allow);
    let isOver = false;
    try {
      return await withDeadline({ clock, ms: timeout, signal, late: () => tooLate(timeout) }, () => {
        const response = server.response(state);
        // Not awaited, because the response or the time limit may come before the browser has started.
        detach(
          this.#show({ url: address, subject, port: server.port }, () => isOver),
          () => {},
        );
        return response;
      });
    } finally {
      isOver = true;
    }
  }

  /** Opens the page. If no browser can be opened, the user still has the URL from the notice. */
  async #show(facts: Omit<NoticeFacts, 'without'>, isOver: () => boolean): Promise<void> {
    const { open } = this.#options;
    const environment = { platform: process.platform, env: process.env };
    const without = open === undefined ? noBrowserReason(environment) : undefined;
    this.#tell({ ...facts, without: open === false ? 'unwanted' : without });
    if (open === false || without !== undefined) return;
    try {
      await (open === undefined ? runBrowser(browserCommand(facts.url, environment)) : open(facts.url));
    } catch {
      if (!isOver()) this.#tell({ ...facts, without: 'failed' });
    }
  }

  #tell(facts: NoticeFacts): void {
    const notice = signInNotice(facts);
    const { onUrl = write } = this.#options;
    // An error of onUrl must not stop the sign-in, because a browser may be open.
    const tell = async () => onUrl(notice);
    detach(tell(), () => {});
  }
}

function write({ text: words }: SignInNotice): void {
  console.error(words);
}

function outcome(failure: unknown): keyof SignInPages {
  if (failure === undefined) return 'signedIn';
  if (!(failure instanceof AuthError) || failure.reason !== 'denied') return 'failed';
  // Authorization servers also deny access because of internal errors or an unknown client.
  return (failure.oauthError ?? 'access_denied') === 'access_denied' ? 'refused' : 'failed';
}
