import { constantsOf, optionRules, requireOptions } from '@tenon/foundation';
import type { ServerExtension } from '@tenon/mcp-server';
import { defineExtension } from '@tenon/mcp-server/extension';
import { idempotencyKey } from './key.js';
import { CallJournal } from './server/call-journal.js';

export { idempotencyKey } from './key.js';

/** Options of {@link idempotency}. */
export interface IdempotencyOptions {
  /** Milliseconds for which a call that has ended is remembered. Default: 10 minutes. Raise it if clients repeat calls later. */
  readonly lifetime?: number;
}

/** Characters of the record of one call: the values of its `once` steps, and its result. */
const bounds = { recordSize: 65_536 };

/**
 * Runs a tool call with an idempotency key once, however often its client repeats it: `createServer(info, { state, extensions: [idempotency()] })`.
 * The calls are in the state that processes share; a server without such a state is made without the extension.
 * @throws TypeError or RangeError if an option is misspelt or invalid.
 */
export function idempotency(options: IdempotencyOptions = {}): ServerExtension<typeof idempotencyKey> {
  requireOptions<IdempotencyOptions>('idempotency', options, { lifetime: optionRules.positive });
  const { lifetime = 600_000 } = options;
  const settings = { lifetime, size: constantsOf(bounds, options).recordSize };
  let isTaken = false;
  let journal: CallJournal | undefined;
  return defineExtension({
    id: idempotencyKey,
    settings: ({ lifecycle }) => (lifecycle === 'stateless' ? {} : undefined),
    clientDeclares: false,
    needsSharedState: true,
    register() {
      if (isTaken)
        throw new TypeError('this value belongs to another server. Call idempotency() once for each server.');
      isTaken = true;
    },
    start(host) {
      journal = new CallJournal(host, settings);
    },
    interceptRun: (call, run) => journal?.attemptOf(call)?.run(run) ?? run(),
  });
}
