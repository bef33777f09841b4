import { unknownCaller } from '@tenon/mcp-protocol/internal';
import type { Processes, State } from '@tenon/mcp-state';
import { quotaOn } from '@tenon/mcp-state/internal';
import type { HttpSession } from './http-session.js';

/** Returns the state, with its writes counted for the callers that opened the sessions which the keys name. */
export function countedState({
  processes,
  sessions,
}: {
  readonly processes: Processes;
  readonly sessions: ReadonlyMap<string, HttpSession>;
}): Pick<State, 'kv' | 'log' | 'leases'> {
  const callerOf = (key: string) => sessions.get(key.split('/', 2)[1] ?? '')?.callerOf() ?? unknownCaller;
  const { kv, log } = quotaOn(processes.state).by(callerOf);
  return { kv, log, leases: processes.state.leases };
}
