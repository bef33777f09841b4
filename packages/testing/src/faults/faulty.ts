import type { ConnectionFactory, Dialer } from '@tenon/mcp-client';
import type { Connection } from '@tenon/mcp-protocol';
import { FaultyConnection } from './faulty-connection.js';
import { type FaultPlan, Faults, type InjectedFault } from './plan.js';

/** The faults that occurred so far. */
export interface FaultRecord {
  /** The newest 10,000 faults that occurred, in order. */
  readonly faults: readonly InjectedFault[];
}

/**
 * Adds faults to a connection, such as one for `server.accept`, or to every connection of a target for `connect`: frames are
 * dropped, delayed, duplicated, reordered or corrupted, or the connection closes. The plan and its seed alone decide what
 * happens.
 * @throws TypeError if the argument is neither a connection nor a target, or if the plan has `split`, which needs bytes;
 * RangeError if a value of the plan is out of range
 */
export function faulty(connection: Connection, plan: FaultPlan): Connection & FaultRecord;
export function faulty(target: ConnectionFactory | Dialer, plan: FaultPlan): Dialer & FaultRecord;
export function faulty(
  subject: Connection | ConnectionFactory | Dialer,
  plan: FaultPlan,
): (Connection | Dialer) & FaultRecord {
  const faults = new Faults(plan);
  if (plan.split !== undefined) {
    throw new TypeError(
      'split cuts bytes, and frames have none: use connectTest with the transport "stdio".',
    );
  }
  if (typeof subject === 'function') return faultyDialer({ open: subject, restartable: true }, faults);
  if (typeof subject === 'object' && subject !== null) {
    if ('open' in subject) return faultyDialer(subject, faults);
    if ('start' in subject) return recorded(new FaultyConnection(subject, faults), faults);
  }
  throw new TypeError(
    'faulty() needs a Connection, a function that makes one, or a target such as memoryTarget(server), httpTarget(url) or stdioTarget({ command }).',
  );
}

function faultyDialer(dialer: Dialer, faults: Faults): Dialer & FaultRecord {
  const { address, older, server } = dialer;
  return recorded(
    {
      restartable: dialer.restartable,
      open: async () => new FaultyConnection(await dialer.open(), faults),
      ...(server !== undefined && { server }),
      ...(address !== undefined && { address }),
      ...(older !== undefined && { older: async () => faultyDialer(await older.call(dialer), faults) }),
    },
    faults,
  );
}

function recorded<T extends object>(subject: T, faults: Faults): T & FaultRecord {
  return Object.defineProperty(subject, 'faults', { get: () => faults.occurred }) as T & FaultRecord;
}
