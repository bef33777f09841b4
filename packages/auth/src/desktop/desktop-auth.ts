import { optionRules } from '@tenon/foundation';
import { type OauthClient, oauth, offlineRule, type UserProvider } from '../client/providers/oauth.js';
import { type ProviderOptions, requireProviderOptions } from '../client/providers/provider-options.js';
import { type DesktopInteractionOptions, desktopInteraction } from './sign-in/loopback-interaction.js';
import { FileAuthStore } from './store/file-store.js';

/** Options of {@link desktopAuth}. */
export interface DesktopAuthOptions
  extends ProviderOptions,
    Pick<DesktopInteractionOptions, 'open' | 'onUrl' | 'timeout' | 'redirectUri' | 'pages'> {
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
  const { text, object, positive, callable } = optionRules;
  requireProviderOptions('desktopAuth()', options, {
    ...{ name: text, client: object, offlineAccess: offlineRule },
    open: { is: 'a function, or false', allows: (value) => value === false || typeof value === 'function' },
    ...{ onUrl: callable, timeout: positive, redirectUri: text, pages: object },
  });
  const { name, client, open, onUrl, timeout, redirectUri, pages, ...provider } = options;
  if (name === undefined)
    throw new TypeError('desktopAuth(): name is missing; authorization servers show it to users.');
  const { allow, store = new FileAuthStore({ name }) } = provider;
  const interaction = desktopInteraction({ name, open, onUrl, timeout, redirectUri, pages, allow });
  return oauth({ ...provider, store, interaction, client: { ...client, name } });
}
