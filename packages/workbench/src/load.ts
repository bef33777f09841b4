import { type Clock, systemClock } from '@tenon/foundation';
import { type Client, RemoteError, SessionError, TransportError, textOf } from '@tenon/mcp-client';
import { toolNamed } from './calls/arguments.js';
import { type OpenOptions, openServer } from './connections/open-server.js';
import { describeTarget, type ServerTarget } from './connections/server-target.js';
import { failureOf, WorkbenchError } from './failures/workbench-error.js';
import type { LoadCall } from './load/load-call.js';
import {
  type CallFailure,
  type LoadProgress,
  type LoadReport,
  type LoadSettings,
  runLoad,
  type SendCall,
} from './load/load-run.js';
import { type LookupAddresses, requireOwnMachine } from './load/own-machine.js';

export { compareLoads, type LoadChange, readLoadReport } from './load/compare-loads.js';
export { type LoadCall, readLoadCalls } from './load/load-call.js';
export type { LoadReport } from './load/load-run.js';
export type { Measured } from './load/measurement.js';

/** Options of {@link measureLoad}. */
export interface MeasureLoadOptions extends Pick<OpenOptions, 'info' | 'auth' | 'revision'> {
  /** The calls. Default: `tools/list`. */
  readonly calls?: readonly LoadCall[] | undefined;
  /** Connections, each a client of its own; 1 by default. */
  readonly connections?: number | undefined;
  /** Calls in flight at the same time, over all connections; 1 by default, with `rate` 100. */
  readonly concurrency?: number | undefined;
  /** Milliseconds of the measurement; 10,000 by default. */
  readonly duration?: number | undefined;
  /** Calls in all; 10,000,000 by default. */
  readonly requests?: number | undefined;
  /** Calls before the measurement; 20 by default. */
  readonly warmup?: number | undefined;
  /** Calls started in a second, whatever the server does. Default: the next call starts when one has ended. */
  readonly rate?: number | undefined;
  /** Milliseconds for one call; 30,000 by default. */
  readonly callTimeout?: number | undefined;
  /** True to allow a server that is not on this machine. Default: false. */
  readonly ownsServer?: boolean | undefined;
  readonly resolve?: LookupAddresses | undefined;
  /** Ends the load early: the report has what was measured. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  readonly clock?: Clock | undefined;
}

const defaults = {
  connections: 1,
  concurrency: 1,
  duration: 10_000,
  requests: 10_000_000,
  warmup: 20,
  callTimeout: 30_000,
  rate: undefined,
} as const;

const largest: Readonly<Record<keyof typeof defaults, number>> = {
  connections: 1_000,
  concurrency: 10_000,
  duration: 3_600_000,
  requests: 10_000_000,
  warmup: 1_000_000,
  callTimeout: 3_600_000,
  rate: 1_000_000,
};

/** Calls in flight at a rate: calls that are due must not wait for others. */
const atRate = 100;

/**
 * Calls a server again and again, and measures latencies. A server that is not on this machine needs `ownsServer`.
 * @throws WorkbenchError `usage` for an option out of its range, a tool that the server does not have, or a server on another
 * machine; the errors of `connect`.
 */
export async function measureLoad(target: ServerTarget, options: MeasureLoadOptions): Promise<LoadReport> {
  const plan = planOf(options);
  const { signal = new AbortController().signal, clock = systemClock, onProgress } = options;
  if (options.ownsServer !== true) await requireOwnMachine(target, options.resolve);
  const connections = optionOf('connections', options) ?? 1;
  const timeout = optionOf('callTimeout', options) ?? 30_000;
  const clients: Client[] = [];
  try {
    for (let opened = 0; opened < connections; opened++) clients.push(await open(target, options));
    const [first] = clients as [Client];
    const calls = await prepared(first, plan.calls);
    const senders = clients.map((client) => senderOf(client, timeout));
    const result = await runLoad({ ...plan, calls }, { senders, clock, signal, onProgress });
    return {
      target: describeTarget(target),
      revision: first.revision,
      connections,
      concurrency: plan.concurrency,
      ...(plan.rate !== undefined && { rate: plan.rate }),
      ...result,
    };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

function planOf(options: MeasureLoadOptions): LoadSettings {
  const { calls = [{ method: 'tools/list' }] } = options;
  const rate = optionOf('rate', options);
  const whole = (name: 'concurrency' | 'duration' | 'requests' | 'warmup') =>
    optionOf(name, options) as number;
  return {
    calls,
    concurrency: options.concurrency === undefined && rate !== undefined ? atRate : whole('concurrency'),
    duration: whole('duration'),
    requests: whole('requests'),
    warmup: whole('warmup'),
    rate,
  };
}

function optionOf(name: keyof typeof defaults, options: MeasureLoadOptions): number | undefined {
  const most = largest[name];
  const value = options[name] ?? defaults[name];
  if (value === undefined) return undefined;
  const least = name === 'warmup' ? 0 : 1;
  const isWhole = Number.isInteger(value) || name === 'rate' || name === 'duration';
  if (isWhole && value <= most && (name === 'rate' ? value > 0 : value >= least)) return value;
  throw new WorkbenchError('usage', `${name} must be a number from ${least} to ${most}, not ${value}.`);
}

function open(target: ServerTarget, { info, auth, revision, signal }: MeasureLoadOptions): Promise<Client> {
  return openServer(target, {
    ...{ info, auth, cache: false },
    ...(revision !== undefined && { revision }),
    ...(signal !== undefined && { signal }),
  });
}

/** Returns the calls with their arguments. @throws WorkbenchError `usage` for a tool that is not listed: it would only measure errors. */
async function prepared(client: Client, calls: readonly LoadCall[]): Promise<readonly LoadCall[]> {
  if (!calls.some((call) => 'tool' in call)) return calls;
  const tools = client.capabilities.tools === undefined ? [] : await client.tools().all();
  return Promise.all(
    calls.map(async (call) => {
      if (!('tool' in call)) return call;
      const tool = toolNamed(call.tool, tools);
      const { makeArguments, ...rest } = call;
      return makeArguments === undefined ? call : { ...rest, arguments: await makeArguments(tool) };
    }),
  );
}

function senderOf(client: Client, timeout: number): SendCall {
  return async (call, signal) => {
    const options = { signal, timeout, total: timeout };
    try {
      if ('method' in call) await sendRequest(client, call.method, options);
      else {
        const result = await client.callTool(call.tool, call.arguments ?? {}, options);
        if (result.isError === true) return { kind: 'tool error', message: textOf(result.content) };
      }
      return undefined;
    } catch (error) {
      return { ...failureFor(error), isFinal: client.state === 'closed' };
    }
  };
}

async function sendRequest(
  client: Client,
  method: 'ping' | 'tools/list' | 'resources/list' | 'prompts/list',
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<void> {
  if (method === 'ping') await client.ping();
  else await client.request(method, {}, options);
}

/** Names the kind of an error, so that errors of the same kind are counted together. */
function failureFor(error: unknown): CallFailure {
  const message = failureOf(error)?.message ?? (error instanceof Error ? error.message : String(error));
  if (error instanceof RemoteError) return { kind: `error ${error.code}`, message };
  if (error instanceof SessionError) return { kind: error.reason, message };
  if (error instanceof TransportError)
    return { kind: error.status === undefined ? 'connection' : `HTTP ${error.status}`, message };
  return { kind: 'other', message };
}
