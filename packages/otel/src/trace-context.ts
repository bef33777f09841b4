import {
  type Baggage,
  type Context,
  createTraceState,
  isSpanContextValid,
  propagation,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { isRecord } from '@tenon/foundation';

/** The keys of `_meta` that carry a trace, in the W3C formats. The specification fixes both: the global propagator may write others. */
const keys = { parent: 'traceparent', state: 'tracestate', baggage: 'baggage' };

const parentFormat = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/;

/** Characters of `tracestate` and `baggage` that are read at most. */
const longest = { state: 512, baggage: 8_192 };

/** Returns `_meta` with the span of a context; without one, as it was. */
export function inject(
  meta: unknown,
  from: Context,
  withBaggage: boolean,
): Readonly<Record<string, unknown>> {
  const given = isRecord(meta) ? meta : {};
  const span = trace.getSpanContext(from);
  const baggage = withBaggage ? propagation.getBaggage(from) : undefined;
  const state = span?.traceState?.serialize();
  return {
    ...given,
    ...(span !== undefined && isSpanContextValid(span) && { [keys.parent]: parentOf(span) }),
    ...(span !== undefined && isSpanContextValid(span) && { [keys.state]: state === '' ? undefined : state }),
    ...(baggage !== undefined && { [keys.baggage]: textOf(baggage) }),
  };
}

/** Returns a context with the span that `_meta` names, and on request its baggage; undefined if it names no span. */
export function extract(meta: unknown, into: Context, withBaggage: boolean): Context | undefined {
  if (!isRecord(meta)) return undefined;
  const span = spanIn(meta[keys.parent], meta[keys.state]);
  if (span === undefined) return undefined;
  const context = trace.setSpanContext(into, span);
  const baggage = meta[keys.baggage];
  if (!withBaggage || typeof baggage !== 'string') return context;
  return propagation.setBaggage(context, baggageIn(baggage.slice(0, longest.baggage)));
}

/** Returns a span as `traceparent`. */
export function parentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${(traceFlags & TraceFlags.SAMPLED).toString(16)}`;
}

/** Returns the span that a `traceparent` names; undefined if it is malformed. */
export function spanIn(parent: unknown, state?: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = (typeof parent === 'string' && parentFormat.exec(parent)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const span: SpanContext = { traceId, spanId, traceFlags, isRemote: true };
  if (!isSpanContextValid(span)) return undefined;
  return typeof state === 'string' && state.length <= longest.state
    ? { ...span, traceState: createTraceState(state) }
    : span;
}

function textOf(baggage: Baggage): string {
  return baggage
    .getAllEntries()
    .map(([key, { value }]) => `${key}=${encodeURIComponent(value)}`)
    .join(',');
}

function baggageIn(text: string): Baggage {
  const entries = text.split(',').flatMap((member): [string, { value: string }][] => {
    const [pair = ''] = member.split(';');
    const [, key, value] = /^\s*([^=\s]+)\s*=\s*(\S*)\s*$/.exec(pair) ?? [];
    if (key === undefined || value === undefined) return [];
    try {
      return [[key, { value: decodeURIComponent(value) }]];
    } catch {
      return [];
    }
  });
  return propagation.createBaggage(Object.fromEntries(entries));
}
