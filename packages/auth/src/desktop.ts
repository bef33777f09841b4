import { optionRules } from '@tenon/foundation';
import { FileAuthStore } from './desktop/file-store.js';
import { type DesktopInteractionOptions, desktopInteraction } from './desktop/loopback-interaction.js';
import { type OauthClient, oauth, offlineRule, type UserProvider } from './providers/oauth.js';
import { type ProviderOptions, requireProviderOptions } from './providers/provider-options.js';

export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export { openInBrowser } from './desktop/browser.js';
export { FileAuthStore, type FileAuthStoreOptions } from './desktop/file-store.js';
export {
  type DesktopInteractionOptions,
  desktopInteraction,
} from './desktop/loopback-interaction.js';
export type { SignInNotice } from './desktop/sign-in-notice.js';
export type { SignInPages } from './desktop/sign-in-pages.js';
export type { SignedIn } from './providers/oauth-provider.js';

/** Options of {@link desktopAuth}. */
export interface DesktopAuthOptions
  extends ProviderOptions,
    Pick<DesktopInteractionOptions, 'open' | 'onUrl' | 'device' | 'timeout' | 'redirectUri' | 'pages'> {
  /** The name of the program for users and authorization servers, and of the file with its tokens. */
  readonly name: string;
  /** Further client options, such as a client id from a registration by hand. */
  readonly client?: Omit<OauthClient, 'name'>;
  /**
   * True to request refresh tokens with the scope `offline_access` where authorization servers list it; default: true. `consent`
   * also has the user asked for consent each time (`prompt=consent`): some OpenID providers issue refresh tokens only then, and
   * others refuse it to users who may not consent.
   */
  readonly offlineAccess?: boolean | 'consent';
}

/**
 * Returns a provider that signs the user of this machine in with the default browser, and stores the tokens in a file that only
 * this user can read, for all processes of the program: `connect(url, { auth: desktopAuth({ name: 'My agent' }) })`.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function desktopAuth(options: DesktopAuthOptions): UserProvider {
  const { text, object, positive, callable, flag } = optionRules;
  requireProviderOptions('desktopAuth()', options, {
    ...{ name: text, client: object, offlineAccess: offlineRule },
    open: { is: 'a function, or false', allows: (value) => value === false || typeof value === 'function' },
    ...{ onUrl: callable, device: flag, timeout: positive, redirectUri: text, pages: object },
  });
  const { name, client, open, onUrl, device, timeout, redirectUri, pages, ...provider } = options;
  if (name === undefined)
    throw new TypeError('desktopAuth(): name is missing; authorization servers show it to users.');
  const { allow, store = new FileAuthStore({ name }) } = provider;
  const interaction = desktopInteraction({ name, open, onUrl, device, timeout, redirectUri, pages, allow });
  return oauth({ ...provider, store, interaction, client: { ...client, name } });
}
