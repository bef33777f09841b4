export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export { type DesktopAuthOptions, desktopAuth } from './desktop/desktop-auth.js';
export { FileAuthStore, type FileAuthStoreOptions } from './desktop/file-store.js';
export { type DesktopInteractionOptions, desktopInteraction } from './desktop/loopback-interaction.js';
export type { SignInNotice } from './desktop/sign-in-notice.js';
export type { SignInPages } from './desktop/sign-in-pages.js';
