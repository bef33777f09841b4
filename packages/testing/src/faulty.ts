import type { ConnectionFactory, Dialer } from '@tenon/mcp-client';
import type { Connection } from '@tenon/mcp-protocol';
import { type FaultPlan, Faults, type Strike } from './fault-plan.js';
import { FaultyConnection } from './faulty-connection.js';

/** What has gone wrong so far. */
export interface Troubled {
  /** What struck so far, in order; the newest 10,000. */
  readonly strikes: readonly Strike[];
}

/**
 * Puts faults on a connection, such as one for `server.accept`, or on every connection to a target for `connect`: frames
 * are dropped, delayed, doubled, swapped, spoiled, or the connection breaks. What happens is a matter of the plan and its
 * seed alone.
 * @throws TypeError for what is neither, and for `split`, which needs bytes; RangeError for a plan that makes no sense.
 */
export function faulty(connection: Connection, plan: FaultPlan): Connection & Troubled;
export function faulty(target: ConnectionFactory | Dialer, plan: FaultPlan): Dialer & Troubled;
export function faulty(
  subject: Connection | ConnectionFactory | Dialer,
  plan: FaultPlan,
): (Connection | Dialer) & Troubled {
  const faults = new Faults(plan);
  if (plan.split !== undefined) {
    throw new TypeError(
      'split cuts bytes, and frames have none: use connectTest with the transport "stdio".',
    );
  }
  if (typeof subject === 'function') return faultyDialer({ open: subject, restartable: true }, faults);
  if (typeof subject === 'object' && subject !== null) {
    if ('open' in subject) return faultyDialer(subject, faults);
    if ('start' in subject) return troubled(new FaultyConnection(subject, faults), faults);
  }
  throw new TypeError(
    'faulty() takes a Connection, a function that makes one, or a target such as memoryTarget(server), httpTarget(url) or stdioTarget({ command }).',
  );
}

function faultyDialer(dialer: Dialer, faults: Faults): Dialer & Troubled {
  const { address, older, server } = dialer;
  return troubled(
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

function troubled<T extends object>(subject: T, faults: Faults): T & Troubled {
  return Object.defineProperty(subject, 'strikes', { get: () => faults.strikes }) as T & Troubled;
}
