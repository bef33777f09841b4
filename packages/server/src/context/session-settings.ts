import { ErrorCode, RpcError, type SessionSettings, type UnknownObject } from '@tenon/mcp-protocol';
import { stateFailureOf } from '@tenon/mcp-protocol/internal';
import type { Endpoint } from '@tenon/mcp-session';
import { shareUsedUp } from '../core/state-failure.js';

/** A change of one setting by the client of a session. */
export interface SettingsChange {
  /** Returns the new settings of the session in all processes; may be called several times, and may throw. */
  change(settings: SessionSettings): SessionSettings;
  /** Makes the change, if one process serves the session. */
  apply(): void;
}

/**
 * Changes a setting of a session, and returns the result of the request: at once, or when the change is stored if several processes
 * serve the session.
 * @throws RpcError if the change is not allowed, or cannot be stored now. Then nothing has changed in this process.
 */
export function changeSettings(
  endpoint: Endpoint,
  { change, apply }: SettingsChange,
): UnknownObject | Promise<UnknownObject> {
  const { shared } = endpoint.connection;
  if (shared === undefined) {
    apply();
    return {};
  }
  // Adopts the settings as well: after the wait another process may have made later ones.
  return shared.saveSettings(change).then(
    () => ({}),
    (error: unknown) => {
      const reason = stateFailureOf(error);
      if (reason === undefined) throw error;
      if (reason === 'quota') throw shareUsedUp('The settings of this session were not stored.', error);
      const message = 'The settings of this session cannot be stored now; try again later.';
      throw new RpcError(ErrorCode.overloaded, message, { cause: error });
    },
  );
}
