export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export type { SignedIn } from './client/providers/oauth-provider.js';
export { type DesktopAuthOptions, desktopAuth } from './desktop/desktop-auth.js';
export { openInBrowser } from './desktop/sign-in/browser.js';
export {
  type DesktopInteractionOptions,
  desktopInteraction,
} from './desktop/sign-in/loopback-interaction.js';
export type { SignInNotice } from './desktop/sign-in/sign-in-notice.js';
export type { SignInPages } from './desktop/sign-in/sign-in-pages.js';
export { FileAuthStore, type FileAuthStoreOptions } from './desktop/store/file-store.js';
