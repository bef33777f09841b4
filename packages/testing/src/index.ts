import { constantsOf, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { type Client, type ClientOptions, connect, type Dialer } from '@tenon/mcp-client';
import { type Contract, type ContractOf, findRevision, type Principal, revisions } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { requireServer } from '@tenon/mcp-session/internal';
import { BoundedLog } from './bounded.js';
import { TappedConnection, type WireFrame } from './connections/tapped-connection.js';
import { faulty } from './faults/faulty.js';
import type { FaultPlan, InjectedFault } from './faults/plan.js';
import type { Link, LinkSettings } from './links/link.js';

export type { Speaker, WireFrame } from './connections/tapped-connection.js';
export { FakeClock, settled } from './fake-clock.js';
export { type FaultRecord, faulty } from './faults/faulty.js';
export type {
  DirectionFaults,
  FaultDirection,
  FaultKind,
  FaultPlan,
  FaultSchedule,
  InjectedFault,
  PassingFrame,
} from './faults/plan.js';

/** Frames of what was said that are kept; the oldest are dropped. */
const bounds = { frames: 10_000 };

/** Options of {@link connectTest}. */
export interface ConnectTestOptions {
  /** The revision to use, such as one of `everyRevision`. Default: the newest that both ends support. */
  readonly revision?: string;
  /**
   * `memory` (the default) needs no Node; `stdio` sends lines over byte streams in this process; `http` listens on a port of
   * 127.0.0.1, and uses the HTTP+SSE transport for the first revision.
   */
  readonly transport?: 'memory' | 'stdio' | 'http';
  /** The caller the server authenticates: `ctx.auth` of a handler, and the argument of `visible`. */
  readonly principal?: Principal;
  /** Options of the client, such as its handlers and timeouts. */
  readonly client?: Partial<ClientOptions>;
  /** Faults between the two ends, as the client sees them, timed by the client's clock. Lost connections are replaced. */
  readonly faults?: FaultPlan;
}

const rules: { readonly [Name in keyof Required<ConnectTestOptions>]: OptionRule } = {
  revision: optionRules.text,
  transport: optionRules.text,
  principal: optionRules.object,
  client: optionRules.object,
  faults: optionRules.object,
};

/** A connected client and server, and the frames between them. */
export interface TestConnection<C extends Contract> {
  readonly client: Client<C>;
  /** The frames so far, in order, as the client saw them, from the start of the connection. */
  readonly frames: readonly WireFrame[];
  /** The faults so far, in order. */
  readonly faults: readonly InjectedFault[];
  /** Closes the client and the transport. The server itself stays open. Can be called more than once. */
  close(): Promise<void>;
  /** Closes at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects a client to a server for a test. The client has the types of the server.
 * @throws RangeError or TypeError if an option is invalid; rejects with the error of `connect`
 */
export async function connectTest<C extends Contract>(
  server: Server<C>,
  options: ConnectTestOptions = {},
): Promise<TestConnection<ContractOf<Server<C>>>> {
  requireServer('connectTest', server);
  requireOptions('connectTest', options, rules);
  const { client: given = {}, faults, revision } = options;
  const frames = new BoundedLog<WireFrame>(constantsOf(bounds, options).frames);
  const { split: _, ...plan } = faults ?? {};
  const link = await linkOf(server, options);
  try {
    const faulted = faulty(link.target, { ...(given.clock && { clock: given.clock }), ...plan });
    const target = tapped(faults === undefined ? link.target : faulted, frames);
    const client = await connect<Server<C>>(target, {
      info: { name: 'test', version: '1.0.0' },
      ...given,
      ...(revision !== undefined && { revision }),
    });
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closing ??= client.close().finally(() => link.close());
      return closing;
    };
    return { client, frames: frames.entries, faults: faulted.faults, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await link.close();
    throw error;
  }
}

async function linkOf<C extends Contract>(server: Server<C>, options: ConnectTestOptions): Promise<Link> {
  const { transport = 'memory', faults, principal, revision } = options;
  const settings: LinkSettings<C> = {
    server,
    principal,
    split: faults?.split,
    seed: faults?.seed,
    restartable: faults !== undefined,
  };
  if (faults?.split !== undefined && transport !== 'stdio') {
    throw new TypeError(`split cuts bytes, and the transport "${transport}" has none: use "stdio".`);
  }
  switch (transport) {
    case 'memory':
      return (await import('./links/link.js')).memoryLink(settings);
    case 'stdio':
      return (await import('./links/node-links.js')).stdioLink(settings);
    case 'http':
      return (await import('./links/node-links.js')).httpLink(
        settings,
        revision === undefined ? undefined : findRevision(revision),
      );
    default:
      throw new TypeError(`transport must be "memory", "stdio" or "http", not "${String(transport)}".`);
  }
}

/** A target that records the frames of its connections. */
function tapped(target: Dialer, frames: BoundedLog<WireFrame>): Dialer {
  let connections = 0;
  return {
    ...target,
    async open() {
      const connection = ++connections;
      return new TappedConnection(await target.open(), 'client', {
        frame: (from, message) => frames.add({ from, message, connection }),
      });
    },
    ...(target.older !== undefined && {
      older: async () => tapped((await target.older?.()) as Dialer, frames),
    }),
  };
}

/**
 * Names of every published revision, newest first: `test.each(everyRevision)('...', async (revision) => ...)`.
 * https://modelcontextprotocol.io/specification/latest/basic/versioning
 */
export const everyRevision: readonly string[] = revisions.map(({ id }) => id);
