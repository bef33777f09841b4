import { type Keychain, VaultError } from './keychain.js';

/** A name in a text, as in `Bearer ${SEARCH_TOKEN}`. */
const reference = /\$\{([^{}]{1,256})\}/g;

/**
 * Returns texts with secrets in place of their names.
 * @param owner - for errors, such as `the server "search"`.
 * @throws VaultError if a secret is missing or cannot be read.
 */
export async function withSecrets(
  texts: Readonly<Record<string, string>>,
  keychains: readonly Keychain[],
  owner: string,
): Promise<Record<string, string>> {
  const filled = Object.entries(texts).map(async ([name, text]): Promise<[string, string]> => {
    const names = new Set([...text.matchAll(reference)].map(([, secret = '']) => secret));
    const secrets = new Map<string, string>();
    for (const secret of names) secrets.set(secret, await secretOf(secret, keychains, owner));
    return [name, text.replace(reference, (_, secret: string) => secrets.get(secret) ?? '')];
  });
  return Object.fromEntries(await Promise.all(filled));
}

async function secretOf(name: string, keychains: readonly Keychain[], owner: string): Promise<string> {
  for (const keychain of keychains) {
    const secret = await read(keychain, name, owner);
    if (secret !== undefined && secret !== '') return secret;
  }
  throw new VaultError(
    `The secret ${JSON.stringify(name)} of ${owner} is missing: set it in the environment, the file or the keychain of the vault.`,
  );
}

async function read(keychain: Keychain, name: string, owner: string): Promise<string | undefined> {
  try {
    return await keychain.get(name);
  } catch (cause) {
    throw new VaultError(
      `The secret ${JSON.stringify(name)} of ${owner} cannot be read; the cause says why.`,
      {
        cause,
      },
    );
  }
}
