import { resolve } from 'node:path';
import type { AuthProvider } from '@tenon/mcp-client';
import {
  failureOf,
  type OpenOptions,
  openServer,
  type ServerClient,
  type ServerTarget,
  WorkbenchError,
} from '@tenon/mcp-workbench';
import { type CommandContext, type CommandLine, clientInfo } from '../context.js';
import { type ChosenServer, chosenServer } from './chosen-server.js';
import type { ServerOptions } from './server-options.js';

/** A connected server, and the words of the command line that do not name it. */
export interface ConnectedServer extends ChosenServer {
  readonly client: ServerClient;
}

/** The line of a command that connects to a server. */
export interface ServerLine<Options extends ServerOptions = ServerOptions> extends CommandLine<Options> {
  /** Further options of the connection. */
  readonly open?: Partial<OpenOptions>;
}

/** Connects to the server of a command line, runs a function, and closes the connection whatever happens. */
export async function withClient<T>(
  line: ServerLine,
  use: (server: ConnectedServer) => Promise<T>,
): Promise<T> {
  const { target, words } = await chosenServer(line.words, line.options, line);
  return withSignIn(target, line, (auth) =>
    connected({ target, words }, { ...line, open: { auth, ...line.open } }, use),
  );
}

async function connected<T>(
  { target, words }: ChosenServer,
  line: ServerLine,
  use: (server: ConnectedServer) => Promise<T>,
): Promise<T> {
  const { terminal, open } = line;
  terminal.status('Connecting ...');
  const opening = openServer(target, { ...connectionOf(line), ...(await recordingOf(line)), ...open });
  const client = await opening.catch((error: unknown) => {
    throw withDoctorHint(error, line);
  });
  try {
    terminal.clearStatus();
    return await use({ client, target, words });
  } finally {
    await client.close();
  }
}

/** Returns the options that all connections of a command line have. */
export function connectionOf({ options, signal }: CommandLine<ServerOptions>): OpenOptions {
  const { revision, timeout } = options;
  return {
    ...{ info: clientInfo(), signal },
    ...(revision !== undefined && { revision }),
    ...(timeout !== undefined && { limits: { requestTimeout: timeout * 1_000 } }),
  };
}

/** Returns the error of a connection, with the command that finds the reason if the server is not reachable. */
function withDoctorHint(error: unknown, { words: [word = ''], serverCommand }: ServerLine): unknown {
  const failure = failureOf(error);
  if (failure?.reason !== 'unreachable' || failure.hint !== undefined) return error;
  // The query of a URL may have a secret.
  const target = word.includes('?') ? 'URL' : word;
  const named = /\s/.test(target) ? `"${target}"` : target;
  const hint = `To find the reason: tenon doctor ${serverCommand.length > 0 ? '-- COMMAND' : named}`;
  return new WorkbenchError('unreachable', failure.message, { hint, cause: error });
}

/** Returns the option of a connection that records its messages. */
async function recordingOf({ options, terminal }: ServerLine): Promise<Pick<OpenOptions, 'wrap'>> {
  if (options.record === undefined) return {};
  const { recordingWrap } = await import('@tenon/mcp-workbench/recordings');
  return { wrap: recordingWrap(resolve(terminal.source.cwd, options.record)) };
}

/** The parts of a command line that decide how the user signs in. */
interface SignInLine extends Pick<CommandContext, 'terminal'> {
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
