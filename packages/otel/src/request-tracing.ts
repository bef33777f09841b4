import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { UnknownObject } from '@tenon/mcp-protocol';
import type { Call, CallRequest, Middleware, Next } from '@tenon/mcp-server';
import {
  failureOf,
  networkOf,
  type Outcome,
  outcomeOf,
  type Subject,
  stoppedBy,
  subjectOf,
} from './attributes.js';
import { convention, executeTool, metric, own } from './convention.js';
import type { Instruments } from './instruments.js';
import type { OtelOptions } from './options.js';
import { extract, inject, parentOf, spanIn } from './trace-context.js';

/** The identifier of the extension, also of the text that a call carries: the `traceparent` of its first request. */
export const id = 'dev.tenon/opentelemetry';

/** Methods of calls that may have several rounds. */
const inRounds: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Methods of requests that last as long as their stream: no time of an operation. */
const streams: ReadonlySet<string> = new Set(['subscriptions/listen']);

/** Characters of the id of a session in spans, as in events: who has the whole id can use the session. */
const shownOfId = 12;

/** Traces the requests of one end in both directions. */
export class RequestTracing {
  readonly #instruments: Instruments;
  readonly #options: OtelOptions;
  readonly #withoutSpans: ReadonlySet<string>;
  /** Returns the attributes of the server that this end is connected to. */
  readonly #server: () => Attributes;

  constructor(instruments: Instruments, options: OtelOptions, server: () => Attributes = () => ({})) {
    this.#instruments = instruments;
    this.#options = options;
    this.#withoutSpans = new Set(options.withoutSpans);
    this.#server = server;
  }

  readonly middleware: Middleware = (call, next) => {
    // The work of a saved call has a span of its own.
    if (call.isSaved === true) return next();
    return call.direction === 'inbound' ? this.#receive(call, next) : this.#send(call, next);
  };

  async #receive(call: Call, next: Next): Promise<UnknownObject> {
    const ambient = context.active();
    const { baggage = false, mode } = this.#options;
    const remote = extract(call.params._meta, ambient, baggage);
    const parent = remote ?? ambient;
    if (mode === 'propagation') return context.with(parent, () => next());
    const attributes = { ...peerOf(call.request), [convention.revision]: call.revision.id };
    const { name, ...subject } = this.#subjectOf(call, attributes);
    // An input request in a result came with the answer to another request.
    const isRequest = call.key === undefined;
    const observed: Observed = {
      call,
      attributes: subject.attributes,
      metric: isRequest ? metric.serverOperation : undefined,
    };
    if (this.#withoutSpans.has(call.method))
      return this.#observe(observed, () => context.with(parent, () => next()));
    const links = linksOf(trace.getSpanContext(ambient), remote && trace.getSpanContext(remote));
    const carried = inRounds.has(call.method) ? await call.carried().catch(() => undefined) : undefined;
    const first = spanIn(carried?.[id]);
    if (first !== undefined) links.push({ context: first, attributes: { [own.link]: 'first_round' } });
    const kind = isRequest ? SpanKind.SERVER : SpanKind.INTERNAL;
    const span = this.#instruments.tracer.startSpan(name, { kind, ...subject, links }, parent);
    if (carried !== undefined) carried[id] ??= parentOf(span.spanContext());
    const at = trace.setSpan(parent, span);
    return this.#observe({ ...observed, span, isOwn: true }, () => context.with(at, () => next()));
  }

  #send(call: Call, next: Next): Promise<UnknownObject> {
    const parent = context.active();
    const { mode, joinExecuteTool } = this.#options;
    if (mode === 'propagation') return this.#forward(call, parent, next);
    const server = { ...this.#server(), [convention.revision]: call.revision.id };
    const { name, attributes } = this.#subjectOf(call, server);
    const observed: Observed = { call, attributes, metric: metric.clientOperation };
    if (this.#withoutSpans.has(call.method))
      return this.#observe(observed, () => this.#forward(call, parent, next));
    const outer = trace.getSpan(parent);
    if (joinExecuteTool === true && call.method === 'tools/call' && outer && isExecuteTool(outer)) {
      outer.setAttributes(attributes);
      return this.#observe({ ...observed, span: outer }, () => this.#forward(call, parent, next));
    }
    const span = this.#instruments.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    const at = trace.setSpan(parent, span);
    return this.#observe({ ...observed, span, isOwn: true }, () => this.#forward(call, at, next));
  }

  #subjectOf({ method, params }: Call, more: Attributes): Subject {
    const { name, attributes } = subjectOf(method, params, this.#options.capture ?? {});
    return { name, attributes: { ...attributes, ...more } };
  }

  /** Sends a request with the span of a context. */
  #forward({ params }: Call, at: Context, next: Next): Promise<UnknownObject> {
    const _meta = inject(params._meta, at, this.#options.baggage === true);
    return context.with(at, () => next(Object.keys(_meta).length === 0 ? params : { ...params, _meta }));
  }

  /** Runs a request, and notes its outcome and its time. */
  async #observe(observed: Observed, run: () => Promise<UnknownObject>): Promise<UnknownObject> {
    const began = performance.now();
    const { call, span } = observed;
    const isReceiver = call.direction === 'inbound';
    try {
      const result = await run();
      if (span !== undefined && this.#options.capture?.results === true && call.method === 'tools/call')
        span.setAttribute(convention.toolResult, JSON.stringify(result));
      this.#ended(observed, outcomeOf(result), began);
      return result;
    } catch (error) {
      const signal = isReceiver ? call.request?.signal : undefined;
      this.#ended(observed, signal?.aborted ? stoppedBy(signal.reason) : failureOf(error, isReceiver), began);
      throw error;
    }
  }

  #ended(
    { call, attributes, metric: name, span, isOwn }: Observed,
    { attributes: ending, isError, message }: Outcome,
    began: number,
  ): void {
    const seconds = (performance.now() - began) / 1_000;
    span?.setAttributes(ending);
    if (isOwn === true) {
      const status = { code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) };
      if (isError) span?.setStatus(status);
      span?.end();
    }
    if (name === undefined || streams.has(call.method)) return;
    const all = { ...attributes, ...ending };
    // A client may name as many tools that do not exist as it likes.
    const isUnknown = call.direction === 'inbound' && ending[convention.statusCode] === invalidParams;
    const { [convention.tool]: _, [convention.prompt]: __, ...unnamed } = all;
    this.#instruments.record(name, seconds, isUnknown ? unnamed : all);
  }
}

/** A request to observe. */
interface Observed {
  readonly call: Call;
  readonly attributes: Attributes;
  /** The histogram of its time; undefined for none. */
  readonly metric: string | undefined;
  /** The span that receives its outcome; undefined for none. */
  readonly span?: Span;
  /** True if the span ends with the request. */
  readonly isOwn?: true;
}

/** The status code of a call of an unknown tool or prompt. */
const invalidParams = '-32602';

/** Returns the attributes of a request that follow from its sender. */
function peerOf(request: CallRequest | undefined): Attributes {
  if (request === undefined) return {};
  const { id: requestId, remoteAddress, sessionId, transport } = request;
  return {
    [convention.requestId]: String(requestId),
    ...networkOf(transport),
    ...(remoteAddress !== undefined && { [convention.clientAddress]: remoteAddress }),
    ...(sessionId !== undefined && { [convention.session]: sessionId.slice(0, shownOfId) }),
  };
}

/** Links the span in which a message was received, such as that of its HTTP request, if the message names another parent. */
function linksOf(ambient: SpanContext | undefined, remote: SpanContext | undefined): Link[] {
  if (ambient === undefined || remote === undefined || ambient.spanId === remote.spanId) return [];
  return [{ context: ambient, attributes: { [own.link]: 'ambient' } }];
}

/** True for the span of a tool call that an agent framework made. The API cannot read attributes; spans of the SDK have them. */
function isExecuteTool(span: Span & { readonly attributes?: Attributes }): boolean {
  return span.attributes?.[convention.operation] === executeTool;
}
