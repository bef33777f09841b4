import { type Client, type ClientOptions, connect, type Dialer } from '@tenon/mcp-client';
import { type Contract, type ContractOf, findRevision, type Principal } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { type OptionRule, optionRules, requireOptions, requireServer } from '@tenon/mcp-session/internal';
import { BoundedLog } from './bounded-log.js';
import type { FaultPlan, Strike } from './fault-plan.js';
import { faulty } from './faulty.js';
import type { Link, LinkSettings } from './links/link.js';
import { TappedConnection, type WireFrame } from './tapped-connection.js';

/** How a test reaches its server. */
export interface ConnectTestOptions {
  /** Name of the revision to speak, such as one of `everyRevision`. Default: the newest both ends know. */
  readonly revision?: string;
  /**
   * `memory` (the default) needs nothing of Node; `stdio` is lines of bytes over streams in this process; `http` is a port
   * of 127.0.0.1, with the older transport over HTTP for the first revision.
   */
  readonly transport?: 'memory' | 'stdio' | 'http';
  /** Who calls, as far as the server knows: what a handler finds in `ctx.auth`, and `visible` is asked for. */
  readonly principal?: Principal;
  /** What the client answers, and how patient it is. */
  readonly client?: Partial<ClientOptions>;
  /**
   * What goes wrong between the two, seen from the client, by the client's clock. Lost connections are replaced then.
   */
  readonly faults?: FaultPlan;
  /** Frames kept; past it the oldest are forgotten. Default 10,000. */
  readonly maxFrames?: number;
}

const rules: { readonly [Name in keyof Required<ConnectTestOptions>]: OptionRule } = {
  revision: optionRules.text,
  transport: optionRules.text,
  principal: optionRules.object,
  client: optionRules.object,
  faults: optionRules.object,
  maxFrames: optionRules.positive,
};

/** A client and a server that are connected, and what they say to one another. */
export interface TestConnection<C extends Contract> {
  readonly client: Client<C>;
  /** What was said so far, in order, as the client saw it: the connection's beginning included. */
  readonly frames: readonly WireFrame[];
  /** Faults that came about so far, in order. */
  readonly strikes: readonly Strike[];
  /** Closes the client, then what serves it; the server itself stays as it is. Safe to call twice. */
  close(): Promise<void>;
  /** Closes at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects a client to a server for a test. The client is typed by the server.
 * @throws RangeError or TypeError for options that make no sense, and whatever `connect` rejects with.
 */
export async function connectTest<C extends Contract>(
  server: Server<C>,
  options: ConnectTestOptions = {},
): Promise<TestConnection<ContractOf<Server<C>>>> {
  requireServer('connectTest', server);
  requireOptions('connectTest', options, rules);
  const { client: given = {}, faults, maxFrames = 10_000, revision } = options;
  const frames = new BoundedLog<WireFrame>(maxFrames);
  const { split: _, ...plan } = faults ?? {};
  const link = await linkOf(server, options);
  try {
    const troubled = faulty(link.target, { ...(given.clock && { clock: given.clock }), ...plan });
    const target = tapped(faults === undefined ? link.target : troubled, frames);
    const client = await connect<Server<C>>(target, {
      info: { name: 'test', version: '1.0.0' },
      ...given,
      ...(revision !== undefined && { revision }),
    });
    return connectionOf({ client, link, frames: frames.entries, strikes: troubled.strikes });
  } catch (error) {
    await link.close();
    throw error;
  }
}

function connectionOf<C extends Contract>({
  client,
  link,
  frames,
  strikes,
}: Pick<TestConnection<C>, 'client' | 'frames' | 'strikes'> & { readonly link: Link }): TestConnection<C> {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= client.close().finally(() => link.close());
    return closing;
  };
  return { client, frames, strikes, close, [Symbol.asyncDispose]: close };
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
    throw new TypeError(`split cuts bytes, which the transport "${transport}" does not show: use "stdio".`);
  }
  switch (transport) {
    case 'memory':
      return (await import('./links/memory-link.js')).memoryLink(settings);
    case 'stdio':
      return (await import('./links/stdio-link.js')).stdioLink(settings);
    case 'http':
      return (await import('./links/http-link.js')).httpLink(
        settings,
        revision === undefined ? undefined : findRevision(revision),
      );
    default:
      throw new TypeError(`There is no transport "${String(transport)}": there are memory, stdio and http.`);
  }
}

/** A target whose connections are listened to. */
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
