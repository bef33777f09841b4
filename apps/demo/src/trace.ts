import { SpanKind, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { connect } from '@tenon/mcp-client';
import { otel as clientOtel } from '@tenon/mcp-otel/client';
import { otel } from '@tenon/mcp-otel/server';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { z } from 'zod';

/** Makes a call over HTTP that requests input of the user, and returns the spans of both ends as a tree. */
export async function tracedCall(): Promise<string> {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  const tracer = trace.getTracer('demo');
  const info = { name: 'shop', version: '1.0.0' };
  const server = createServer(info, { extensions: [otel()] }).tool(
    'order',
    { description: 'Orders tea' },
    async (_input, ctx) => {
      const schema = z.object({ boxes: z.number() });
      const answer = await ctx.elicit('boxes', { message: 'How many boxes?', schema });
      return tracer.startActiveSpan('INSERT order', (span) => {
        span.end();
        return `${answer.content?.boxes} boxes`;
      });
    },
  );
  const serving = await serveHttp(server, { port: 0 });
  const client = await connect(serving.url, {
    info: { name: 'agent', version: '1.0.0' },
    revision: '2026-07-28',
    extensions: [clientOtel()],
    onElicit: () => ({ action: 'accept', content: { boxes: 2 } }),
  });
  await tracer.startActiveSpan('answer the user', async (span) => {
    await client.callTool('order');
    span.end();
  });
  await client.close();
  await serving.close();
  const spans = exporter.getFinishedSpans();
  const root = spans.find(({ name }) => name === 'answer the user');
  const lines = root === undefined ? [] : treeOf(root, spans);
  return ['One trace of a call that requests input, in 2026-07-28 over http:', ...lines, ''].join('\n');
}

function treeOf(span: ReadableSpan, all: readonly ReadableSpan[], before = ''): string[] {
  const children = all
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === span.spanContext().spanId)
    .sort((one, other) => nanoseconds(one) - nanoseconds(other));
  return [
    lineOf(span, before),
    ...children.flatMap((child, index) =>
      treeOf(
        child,
        all,
        `${before.replace('├', '│').replace('└', ' ')}  ${index < children.length - 1 ? '├' : '└'}`,
      ),
    ),
  ];
}

function lineOf({ name, kind, attributes, links }: ReadableSpan, before: string): string {
  const result = attributes['dev.tenon.mcp.result.type'];
  const notes = [
    ...(typeof result === 'string' ? [result] : []),
    ...(links.length > 0 ? ['linked to the first round'] : []),
  ];
  const left = `${before}${before === '' ? '' : ' '}${name}`;
  return `${left.padEnd(34)} ${SpanKind[kind].padEnd(8)} ${notes.join(', ')}`.trimEnd();
}

function nanoseconds({ startTime: [seconds, rest] }: ReadableSpan): number {
  return seconds * 1e9 + rest;
}
