import { type Context, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { CallToolResult, UnknownObject } from '@tenon/mcp-protocol';
import type { ServerExtension } from '@tenon/mcp-server';
import { type DetachedCall, defineExtension } from '@tenon/mcp-server/extension';
import { failureOf, networkOf, outcomeOf } from './attributes.js';
import { convention, metric, otherError, own, workOfTask } from './convention.js';
import { Instruments } from './instruments.js';
import { type OtelOptions, requireOtelOptions } from './options.js';
import { id, RequestTracing } from './request-tracing.js';
import { extract, spanIn } from './trace-context.js';

export type { CapturedContents, OtelOptions } from './options.js';

/** Nothing for clients: the extension is not declared. */
const settings = () => undefined;

/**
 * Traces and measures the requests of a server: `createServer(info, { extensions: [otel()] })`.
 * @throws TypeError if an option is misspelt or malformed.
 */
export function otel(options: OtelOptions = {}): ServerExtension<typeof id> {
  requireOtelOptions(options);
  const { mode = 'full' } = options;
  if (mode === 'off') return defineExtension({ id, settings, external: true });
  const instruments = new Instruments(options);
  const { middleware } = new RequestTracing(instruments, options);
  if (mode === 'propagation') {
    const interceptDetached = ({ params }: DetachedCall, run: () => Promise<CallToolResult>) =>
      context.with(contextOf(params, options), run);
    return defineExtension({ id, settings, middleware, interceptDetached });
  }
  let stop = () => {};
  return defineExtension({
    id,
    settings,
    middleware,
    interceptDetached: (call, run) => traced(instruments, options, { call, run }),
    start(host) {
      stop = host.onEvent((event) => {
        if (event.type !== 'session-ended' || event.milliseconds === undefined) return;
        instruments.record(metric.serverSession, event.milliseconds / 1_000, {
          [convention.revision]: event.revision,
          [convention.protocol]: networkOf(event.transport)[convention.protocol],
          ...(event.reason !== undefined && { [convention.errorType]: otherError }),
        });
      });
    },
    stop: () => stop(),
  });
}

/** Returns the context of a detached run: that of its request, which may have been received by another process. */
function contextOf({ _meta }: UnknownObject, { baggage = false }: OtelOptions): Context {
  const active = context.active();
  return trace.getSpan(active) === undefined ? (extract(_meta, active, baggage) ?? active) : active;
}

/** Runs the work of a task in a span that is a root of its own: the request of the call has ended, perhaps long ago. */
async function traced(
  { tracer }: Instruments,
  options: OtelOptions,
  { call, run }: { readonly call: DetachedCall; readonly run: () => Promise<CallToolResult> },
): Promise<CallToolResult> {
  const { params, carried } = call;
  const found = contextOf(params, options);
  const made = spanIn(carried[id]) ?? trace.getSpanContext(found);
  const tool = String(params.name);
  const span = tracer.startSpan(`${workOfTask} ${tool}`, {
    kind: SpanKind.INTERNAL,
    root: true,
    attributes: { [convention.tool]: tool },
    links: made === undefined ? [] : [{ context: made, attributes: { [own.link]: 'call' } }],
  });
  const note = ({ attributes, isError, message }: ReturnType<typeof outcomeOf>) => {
    span.setAttributes(attributes);
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
  };
  try {
    const result = await context.with(trace.setSpan(found, span), run);
    note(outcomeOf(result as CallToolResult & UnknownObject));
    return result;
  } catch (error) {
    note(failureOf(error, true));
    throw error;
  } finally {
    span.end();
  }
}
