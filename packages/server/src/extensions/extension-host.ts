import { stateCallerName } from '@tenon/mcp-protocol/internal';
import type { State } from '@tenon/mcp-state';
import type { CallChecker } from '../features/tool-run.js';
import { digestOf } from '../sealing/digest.js';
import { type ExtensionParts, runSaved } from './detached-run.js';
import type { ExtensionHost, ServerContributions } from './extension.js';
import { publish } from './publish.js';

/** The functions that an extension of a server may use while the server runs. */
export function hostOf(
  parts: ExtensionParts,
  extension: ServerContributions,
  calls: CallChecker,
): ExtensionHost {
  const { state, processes } = parts;
  const { clock, onError, limits, shapes } = parts.context;
  const settings = { clock, onError, bytes: limits.stateBytesPerCaller };
  // Servers without state do not load it.
  const quotaOf = async (counted: State) => {
    const { quotaOn } = await import('../core/state-code.js');
    return quotaOn(counted, settings);
  };
  let own: ReturnType<typeof quotaOf> | undefined;
  return {
    clock,
    onError,
    events: parts.events,
    onEvent: (listener) => parts.events.add(listener),
    state,
    processes,
    // The digest in the keys of shared handles and rates is made of the same members.
    callerOf: async ({ principal }) =>
      principal && (await digestOf([principal.issuer ?? null, principal.id])),
    stateOf: async (caller, counted = state) => {
      if (counted === undefined) throw new TypeError('stateOf: the server has no state. Pass a state.');
      if (counted !== state) return (await quotaOf(counted)).of(stateCallerName(caller));
      own ??= quotaOf(counted);
      return (await own).of(stateCallerName(caller));
    },
    run: (saved, ports) => runSaved(parts, calls, { saved, ports }),
    publish: async (notification, params, where) => {
      const sound = await shapes.notificationParams(notification, params);
      publish(parts, { method: notification.name, params: sound, extension, where });
    },
  };
}
