export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
