import {
  type AuthProvider,
  type Client,
  type ClientExtension,
  type ConnectOptions,
  connect,
  type Dialer,
  ErrorCode,
  type Implementation,
  RpcError,
} from '@tenon/mcp-client';
import { idempotency } from '@tenon/mcp-idempotency/client';
import { findRevision, revisions } from '@tenon/mcp-protocol';
import { type OnTask, type TaskMembers, tasks } from '@tenon/mcp-tasks/client';
import { WorkbenchError } from '../failures/workbench-error.js';
import type { ServerTarget } from './server-target.js';

/** A client of a server, with `tasks`. */
export type ServerClient = Client & TaskMembers;

/** Options of {@link openServer}: those of `connect` that tools need. */
export interface OpenOptions
  extends Pick<
    ConnectOptions,
    | 'revision'
    | 'revisions'
    | 'onElicit'
    | 'onElicitUrl'
    | 'onSample'
    | 'roots'
    | 'onLog'
    | 'logLevel'
    | 'onStateChange'
    | 'onError'
    | 'signal'
    | 'limits'
    | 'cache'
    | 'middleware'
  > {
  /** The client info. */
  readonly info: Implementation;
  /** Signs in at servers with a URL that require it. */
  readonly auth?: AuthProvider | undefined;
  /** Receives each line that a server of a command prints on stderr. Default: dropped, but kept for error texts. */
  readonly onStderr?: (line: string) => void;
  /** Receives each change of a task that a call became. */
  readonly onTask?: OnTask;
  /** Runs tools that can run as tasks as tasks. Default: `inline`. */
  readonly prefer?: 'task' | 'inline';
  /** Further extensions, besides tasks. */
  readonly extensions?: readonly ClientExtension[];
  /** Changes the way to the server, for example to record the messages. */
  readonly wrap?: (dialer: Dialer) => Dialer;
}

/**
 * The answers to input requests of a program without a user. They declare the capabilities that hosts declare: servers hide tools from
 * clients without them. The list of roots is empty, because a server may restrict itself to the roots of its client.
 */
const withoutUser = {
  onElicit: () => ({ action: 'cancel' }),
  onElicitUrl: () => ({ action: 'cancel' }),
  onSample: () => {
    throw new RpcError(ErrorCode.userRejected, 'No user can approve sampling here.');
  },
  roots: [],
} as const satisfies Partial<ConnectOptions>;

/**
 * Connects to a server. Input requests without a handler are cancelled or rejected. It does not reconnect to a server of a command that has exited.
 * @throws WorkbenchError `usage` for a revision, a URL or a header that cannot be used; the errors of `connect`, see {@link failureOf}.
 */
export async function openServer(target: ServerTarget, options: OpenOptions): Promise<ServerClient> {
  const { auth, onStderr, onTask, prefer, extensions = [], wrap, ...rest } = options;
  for (const revision of [rest.revision, ...(rest.revisions ?? [])]) requireRevision(revision);
  const following = tasks({
    ...(onTask !== undefined && { onTask }),
    ...(prefer !== undefined && { prefer }),
  });
  const dialer = await dialerOf(target, { auth, onStderr });
  return connect(wrap === undefined ? dialer : wrap(dialer), {
    ...withoutUser,
    ...rest,
    ...(target.kind === 'command' && { reconnect: false }),
    extensions: [following, idempotency(), ...extensions],
  });
}

/**
 * Returns the way to a server. Code for the other transports is not loaded.
 * @throws WorkbenchError `usage` for a URL, a header or a variable that cannot be used.
 */
export async function dialerOf(
  target: ServerTarget,
  { auth, onStderr }: { auth: AuthProvider | undefined; onStderr: ((line: string) => void) | undefined },
): Promise<Dialer> {
  if (target.kind === 'command') {
    const { stdioTarget } = await import('@tenon/mcp-client/stdio');
    const { command, args, env, cwd } = target;
    return withOptionsOf(() =>
      stdioTarget({
        ...{ command, args, stderr: onStderr ?? 'pipe' },
        ...(env !== undefined && { env }),
        ...(cwd !== undefined && { cwd }),
      }),
    );
  }
  const { url, headers, transport = 'auto' } = target;
  const settings = { auth, ...(headers !== undefined && { headers }) };
  if (transport === 'sse') {
    const { sseTarget } = await import('@tenon/mcp-client/sse');
    return withOptionsOf(() => sseTarget(url, settings));
  }
  const { httpTarget } = await import('@tenon/mcp-client/http');
  const dialer = withOptionsOf(() => httpTarget(url, settings));
  if (transport === 'auto') return dialer;
  const { older: _, ...onlyHttp } = dialer;
  return onlyHttp;
}

/** @throws WorkbenchError `usage` if a revision is named that is not published. */
function requireRevision(revision: string | undefined): void {
  if (revision === undefined || findRevision(revision) !== undefined) return;
  throw new WorkbenchError('usage', `"${revision}" is not a revision of the protocol.`, {
    hint: `There are ${revisions.map(({ id }) => id).join(', ')}.`,
  });
}

/**
 * Returns the value of a function that checks a URL, headers or other options before anything is sent.
 * @throws WorkbenchError `usage` if it rejects them.
 */
function withOptionsOf<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? wrongUse(error) : error;
  }
}

function wrongUse(error: Error): WorkbenchError {
  return new WorkbenchError('usage', error.message, { cause: error });
}
