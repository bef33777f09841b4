import { optionRules } from '@tenon/mcp-session/internal';
import { type OauthClient, oauth, type UserProvider } from '../client/oauth.js';
import { type ProviderOptions, requireProviderOptions } from '../client/provider-options.js';
import { FileAuthStore } from './file-store.js';
import { type DesktopInteractionOptions, desktopInteraction } from './loopback-interaction.js';

/** How the users of a program on this machine sign in at servers. */
export interface DesktopAuthOptions
  extends ProviderOptions,
    Pick<DesktopInteractionOptions, 'open' | 'onUrl' | 'timeout' | 'redirectUri' | 'pages'> {
  /** What the program is called, to users and to authorization servers; its tokens are in a file of this name. */
  readonly name: string;
  /** More about it as a client, such as an id it was given by hand. */
  readonly client?: Omit<OauthClient, 'name'>;
  /** Asks for refresh tokens where that takes a scope of its own (`offline_access`); true by default. */
  readonly offlineAccess?: boolean;
}

/**
 * Lets the user of this machine sign in with his browser, and keeps what came of it in a file that only he can read, for all
 * processes of the program: `connect(url, { auth: desktopAuth({ name: 'My agent' }) })`.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function desktopAuth(options: DesktopAuthOptions): UserProvider {
  const { text, object, flag, positive, callable } = optionRules;
  requireProviderOptions('desktopAuth()', options, {
    ...{ name: text, client: object, offlineAccess: flag },
    open: { is: 'a function, or false', allows: (value) => value === false || typeof value === 'function' },
    ...{ onUrl: callable, timeout: positive, redirectUri: text, pages: object },
  });
  const { name, client, open, onUrl, timeout, redirectUri, pages, ...provider } = options;
  if (name === undefined) throw new TypeError('desktopAuth(): name is missing: users are shown it.');
  const { allow, store = new FileAuthStore({ name }) } = provider;
  const interaction = desktopInteraction({ name, open, onUrl, timeout, redirectUri, pages, allow });
  return oauth({ ...provider, store, interaction, client: { ...client, name } });
}
