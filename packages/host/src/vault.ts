export type { Credentials, CredentialsRequest, Vault } from './servers/credentials.js';
export { type Keychain, VaultError } from './vault/keychain.js';
export {
  createVault,
  type ServerCredentials,
  type SignInRequest,
  type VaultEvent,
  type VaultOptions,
} from './vault/vault.js';
