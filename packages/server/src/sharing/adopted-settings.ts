import type { SessionSettings } from '@tenon/mcp-protocol';
import type { Endpoint } from '@tenon/mcp-session';
import type { Definition } from '../context/definition.js';
import { adoptLevel } from '../features/logging.js';
import { adoptSubscriptions } from '../features/resources/session-subscriptions.js';

/** Replaces the settings of a session by those that its client has made in another process. Reports settings that it cannot adopt. */
export function adoptSettings(
  definition: Definition,
  endpoint: Endpoint,
  { logLevel, subscriptions = [] }: SessionSettings,
): void {
  if (endpoint.state === 'closed') return;
  if (logLevel !== undefined) adoptLevel(definition, endpoint, logLevel);
  adoptSubscriptions(definition, endpoint, subscriptions);
}
