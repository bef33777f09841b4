import type { AuthProvider } from '@tenon/mcp-client';
import type { ServerTarget } from '@tenon/mcp-workbench';
import type { CommandContext } from '../context.js';
import type { ServerOptions } from './server-options.js';

/** The parts of a command line that decide how the user signs in. */
export interface SignInLine extends Pick<CommandContext, 'terminal'> {
  readonly options: Pick<ServerOptions, 'storedAuthOnly'>;
}

/** Returns the provider with which requests to a server are authorized. Its code is loaded for servers with a URL only. */
export async function signInFor(target: ServerTarget, line: SignInLine): Promise<AuthProvider | undefined> {
  if (target.kind === 'command') return undefined;
  const { authFor } = await import('./sign-in.js');
  return authFor(target, line.options, line);
}

/**
 * Runs a function with the provider of a server, and returns its result.
 * @throws the errors of the function. An error of authorization names the command that signs in.
 */
export async function withSignIn<T>(
  target: ServerTarget,
  line: SignInLine,
  use: (auth: AuthProvider | undefined) => Promise<T>,
): Promise<T> {
  if (target.kind === 'command') return use(undefined);
  const auth = await signInFor(target, line);
  try {
    return await use(auth);
  } catch (error) {
    const { withSignInHint } = await import('./sign-in.js');
    throw withSignInHint(error, target);
  }
}
