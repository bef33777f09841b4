import {
  type Attributes,
  type Histogram,
  type Meter,
  type MeterProvider,
  metrics,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { buckets, labels } from './convention.js';
import type { OtelOptions } from './options.js';

/** The name of the instrumentation scope. */
const scope = '@tenon/mcp-otel';

/** The tracer and the histograms of one extension. They follow the global providers, which a program may set after it made the extension. */
export class Instruments {
  readonly #options: OtelOptions;
  readonly #histograms = new Map<string, Histogram>();
  #provider: MeterProvider | undefined;
  #meter: Meter | undefined;

  constructor(options: OtelOptions) {
    this.#options = options;
  }

  get tracer(): Tracer {
    return (this.#options.tracerProvider ?? trace.getTracerProvider()).getTracer(scope);
  }

  /** Records a duration with those of the attributes that may be labels. */
  record(name: string, seconds: number, attributes: Attributes): void {
    const labelled = Object.entries(attributes).filter(([key]) => labels.has(key));
    this.#histogram(name).record(seconds, Object.fromEntries(labelled));
  }

  #histogram(name: string): Histogram {
    const provider = this.#options.meterProvider ?? metrics.getMeterProvider();
    if (provider !== this.#provider || this.#meter === undefined) {
      this.#histograms.clear();
      this.#provider = provider;
      this.#meter = provider.getMeter(scope);
    }
    const found = this.#histograms.get(name);
    if (found !== undefined) return found;
    const advice = { explicitBucketBoundaries: [...buckets] };
    const made = this.#meter.createHistogram(name, { unit: 's', advice });
    this.#histograms.set(name, made);
    return made;
  }
}
