import { context, type Link, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { ServerExtension } from '@tenon/mcp-server';
import { createServer, ToolError } from '@tenon/mcp-server';
import { connectTest, type ConnectTestOptions } from '@tenon/mcp-testing';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { otel as clientOtel } from '../src/client.js';
import type { OtelOptions } from '../src/options.js';
import { otel as serverOtel } from '../src/server.js';

/** The spans and metrics of one test, made by the SDK. */
export class Telemetry {
  readonly #exporter = new InMemorySpanExporter();
  readonly #measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly tracers = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#exporter)] });
  readonly #reader = new PeriodicExportingMetricReader({ exporter: this.#measured });
  readonly meters = new MeterProvider({ readers: [this.#reader] });

  constructor() {
    // Sets the context manager of the process: the providers are passed as options.
    this.tracers.register();
    onTestFinished(async () => {
      context.disable();
      await this.tracers.shutdown();
      await this.meters.shutdown();
    });
  }

  get spans(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  options(given: OtelOptions = {}): OtelOptions {
    return { tracerProvider: this.tracers, meterProvider: this.meters, ...given };
  }

  /** Returns the span of a kind and name; the last one if there are several. */
  span(kind: SpanKind, name: string): ReadableSpan {
    const found = this.spans.filter((span) => span.kind === kind && span.name === name).at(-1);
    if (found === undefined)
      throw new Error(`no ${name} in ${this.spans.map((span) => `${SpanKind[span.kind]} ${span.name}`)}`);
    return found;
  }

  /** Returns the histograms by name. */
  async histograms(): Promise<ReadonlyMap<string, readonly Point[]>> {
    this.#measured.reset();
    await this.#reader.forceFlush();
    const all = this.#measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return new Map(
      all.flatMap(({ metrics }) =>
        metrics.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => {
            const { buckets, count } = value as Histogram;
            return { unit: descriptor.unit, attributes, count, boundaries: buckets.boundaries };
          }),
        ]),
      ),
    );
  }
}

/** One series of a histogram. */
export interface Point {
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly count: number;
  readonly boundaries: readonly number[];
}

/** Returns the ids to which the span is linked, by the relation. */
export function linksOf({ links }: ReadableSpan): readonly unknown[] {
  return links.map(({ context: { spanId }, attributes }: Link) => [
    attributes?.['dev.tenon.mcp.link'],
    spanId,
  ]);
}

export function isFailed({ status }: ReadableSpan): boolean {
  return status.code === SpanStatusCode.ERROR;
}

/** A server with a tool for each outcome. */
export function exampleServer(extensions: readonly ServerExtension[]) {
  const server = createServer({ name: 'shop', version: '1' }, { extensions, onError: () => {} })
    .tool('price', { input: z.object({ article: z.string() }) }, ({ article }, ctx) => {
      if (article === 'bug') throw new Error('the password is hunter2');
      if (article !== 'tea') throw new ToolError(`There is no article ${article}`);
      return `3.20 ${ctx.meta('traceparent')}`;
    })
    .tool('asks', {}, async (_, ctx) => {
      const { action } = await ctx.elicit('name', {
        message: 'Who?',
        schema: z.object({ name: z.string() }),
      });
      return action;
    })
    .prompt('letter', { args: z.object({ to: z.string() }) }, ({ to }) => `Dear ${to}`)
    .resource('shop://prices', {}, () => 'tea 3.20');
  onTestFinished(() => server.close());
  return server;
}

/** The example server and its client, both with the extension. */
export async function connected(
  telemetry: Telemetry,
  { options = {}, server, client, ...test }: ConnectedOptions = {},
) {
  const given = telemetry.options(options);
  const connection = await connectTest(exampleServer(server ?? [serverOtel(given)]), {
    ...test,
    client: {
      extensions: [clientOtel(given)],
      onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
      ...client,
    },
  });
  onTestFinished(() => connection.close());
  return connection;
}

export interface ConnectedOptions extends ConnectTestOptions {
  readonly options?: OtelOptions;
  readonly server?: readonly ServerExtension[];
}
