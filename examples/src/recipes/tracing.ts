// Spans of OpenTelemetry for calls, in one trace from the client to what the tool does.
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, type Middleware, RemoteError, RpcError, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

// Replace the exporter by the one of your collector, such as OTLPTraceExporter.
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const tracer = trace.getTracer('mcp');

/** A span for each request: the server's requests continue the trace in `_meta`, the client's send theirs. */
const traced: Middleware = (call, next) => {
  const name = typeof call.params.name === 'string' ? call.params.name : undefined;
  const tool = call.method === 'tools/call' && name !== undefined;
  const attributes = {
    'mcp.method.name': call.method,
    'mcp.protocol.version': call.revision.id,
    ...(tool && { 'gen_ai.tool.name': name, 'gen_ai.operation.name': 'execute_tool' }),
  };
  const inbound = call.direction === 'inbound';
  const kind = inbound ? SpanKind.SERVER : SpanKind.CLIENT;
  const meta = { ...(call.params._meta as object | undefined) };
  const parent = inbound ? propagation.extract(context.active(), meta) : context.active();
  const title = name === undefined ? call.method : `${call.method} ${name}`;
  return tracer.startActiveSpan(title, { kind, attributes }, parent, async (span) => {
    try {
      if (!inbound) propagation.inject(context.active(), meta);
      const result = await next(inbound ? undefined : { ...call.params, _meta: meta });
      if (result.isError === true) {
        span.setAttribute('error.type', 'tool_error').setStatus({ code: SpanStatusCode.ERROR });
      }
      return result;
    } catch (error) {
      const code = error instanceof RpcError || error instanceof RemoteError ? error.code : 'internal';
      span.setAttribute('error.type', String(code)).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
};

const server = createServer({ name: 'shop', version: '1.0.0' })
  .use(traced)
  .tool(
    'price',
    { description: 'Returns a price', input: z.object({ article: z.string() }) },
    ({ article }) =>
      tracer.startActiveSpan('SELECT price', (span) => {
        span.end(); // stands for a query: an instrumented database client makes this span
        if (article !== 'tea') throw new ToolError(`There is no article ${article}`);
        return '3.20';
      }),
  );

const info = { name: 'agent', version: '1.0.0' };
const client = await connectMemory(server, { info, middleware: [traced] });
await tracer.startActiveSpan('answer the user', async (span) => {
  await client.callTool('price', { article: 'tea' });
  await client.callTool('price', { article: 'gold' });
  span.end();
});
await client.close();

const spans = exporter.getFinishedSpans();
const nameOf = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
for (const { kind, name, parentSpanContext, attributes } of spans) {
  const parent = nameOf.get(parentSpanContext?.spanId ?? '') ?? 'nothing';
  const source = parentSpanContext?.isRemote ? ' (by _meta)' : '';
  console.log(`${SpanKind[kind]} ${name}, below ${parent}${source}`, attributes['error.type'] ?? '');
}
