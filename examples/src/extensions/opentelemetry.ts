// Spans of OpenTelemetry for calls, in one trace from the client to what the tool does.
import { SpanKind, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { connectMemory } from '@tenon/mcp-client/memory';
import { otel as clientOtel } from '@tenon/mcp-otel/client';
import { otel } from '@tenon/mcp-otel/server';
import { createServer, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

// Replace the exporter by the one of your collector, such as OTLPTraceExporter.
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const tracer = trace.getTracer('shop');

const server = createServer({ name: 'shop', version: '1.0.0' }, { extensions: [otel()] }).tool(
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
const client = await connectMemory(server, { info, extensions: [clientOtel()] });
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
