import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { onTestFinished } from 'vitest';

/** A value of OTLP in JSON. */
type OtlpValue = {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly boolValue?: boolean;
};

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: readonly OtlpAttribute[];
}

interface OtlpPoint {
  readonly attributes: readonly OtlpAttribute[];
  readonly count: number | string;
  readonly explicitBounds: readonly number[];
}

interface OtlpBody {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly unit: string;
        readonly histogram: { readonly dataPoints: readonly OtlpPoint[] };
      }[];
    }[];
  }[];
}

/** Attributes by name. */
export type Read = Readonly<Record<string, string | number | boolean | undefined>>;

/** A receiver of OTLP over HTTP, and the providers of the SDK that export to it. */
export async function startCollector() {
  const bodies: OtlpBody[] = [];
  const http = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    bodies.push(JSON.parse(text) as OtlpBody);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const traces = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const measured = new OTLPMetricExporter({ url: `${url}/v1/metrics` });
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(traces)] });
  const reader = new PeriodicExportingMetricReader({ exporter: measured });
  const meterProvider = new MeterProvider({ readers: [reader] });
  onTestFinished(async () => {
    await tracerProvider.shutdown();
    await meterProvider.shutdown();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return {
    options: { tracerProvider, meterProvider },
    /** Exports all, and returns what was received. */
    async received() {
      await tracerProvider.forceFlush();
      await reader.forceFlush();
      const scopes = bodies.flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap((one) => one.scopeSpans),
      );
      const metrics = bodies.flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics)),
      );
      return {
        scopes: [...new Set(scopes.map(({ scope }) => scope.name))],
        spans: scopes.flatMap(({ spans }) =>
          spans.map((span) => ({ ...span, kind: kindOf(span.kind), attributes: readAll(span.attributes) })),
        ),
        metrics: metrics.map(({ name, unit, histogram }) => ({
          name,
          unit,
          points: histogram.dataPoints.map((point) => ({ ...point, attributes: readAll(point.attributes) })),
        })),
      };
    },
  };
}

/** OTLP numbers the kinds from 1. */
function kindOf(kind: number): string {
  return SpanKind[kind - 1] ?? String(kind);
}

function readAll(attributes: readonly OtlpAttribute[]): Read {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );
}
