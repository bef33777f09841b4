import type { ClientExtension } from '@tenon/mcp-client';
import { defineExtension } from '@tenon/mcp-client/extension';
import { idempotencyKey } from './key.js';

export { idempotencyKey } from './key.js';

/**
 * Repeats a tool call once after its answer was lost with the connection, at servers that run each call once:
 * `connect(target, { extensions: [idempotency()] })`. Each call has a random key, unless its `meta` has one or its option `idempotent` is false.
 */
export function idempotency(): ClientExtension<typeof idempotencyKey> {
  return defineExtension({
    id: idempotencyKey,
    settings: ({ lifecycle }) => (lifecycle === 'stateless' ? {} : undefined),
    clientDeclares: false,
    prepareToolCall({ params, options }) {
      const { _meta } = params;
      if (options?.idempotent === false || _meta?.[idempotencyKey] !== undefined) return params;
      return { ...params, _meta: { ..._meta, [idempotencyKey]: globalThis.crypto.randomUUID() } };
    },
    mayRepeat: ({ params, options }) =>
      params._meta?.[idempotencyKey] !== undefined && options?.idempotent !== false,
  });
}
