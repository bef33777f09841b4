import type { Attributes } from '@opentelemetry/api';
import type { ClientExtension } from '@tenon/mcp-client';
import { defineExtension, type ExtensionClient } from '@tenon/mcp-client/extension';
import { addressOf, networkOf, typeOf } from './attributes.js';
import { convention, metric } from './convention.js';
import { Instruments } from './instruments.js';
import { type OtelOptions, requireOtelOptions } from './options.js';
import { id, RequestTracing } from './request-tracing.js';

export type { CapturedContents, OtelOptions } from './options.js';

/** Nothing for servers: the extension is not declared. */
const settings = () => undefined;

/**
 * Traces and measures the calls of a client: `connect(target, { extensions: [otel()] })`.
 * @throws TypeError if an option is misspelt or malformed.
 */
export function otel(options: OtelOptions = {}): ClientExtension<typeof id> {
  requireOtelOptions(options);
  const { mode = 'full' } = options;
  if (mode === 'off') return defineExtension({ id, settings, external: true });
  const instruments = new Instruments(options);
  const middleware = (client: ExtensionClient) =>
    new RequestTracing(instruments, options, () => serverOf(client)).middleware;
  if (mode === 'propagation') return defineExtension({ id, settings, middleware });
  return defineExtension({
    id,
    settings,
    middleware,
    onSession(client, revision) {
      if (client.server?.revision.lifecycle === 'stateless') return undefined;
      const began = performance.now();
      const { [convention.transport]: _, ...server } = serverOf(client);
      const labels = { ...server, [convention.revision]: revision };
      return (reason) =>
        instruments.record(metric.clientSession, (performance.now() - began) / 1_000, {
          ...labels,
          ...(reason !== undefined && { [convention.errorType]: typeOf(reason) }),
        });
    },
  });
}

function serverOf({ server }: ExtensionClient): Attributes {
  return { ...networkOf(server?.transport), ...addressOf(server?.endpoint) };
}
