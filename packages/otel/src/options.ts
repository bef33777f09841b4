import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { optionRules, requireOptions } from '@tenon/foundation';

/** Contents that spans have only on request: they may be secrets of users. */
export interface CapturedContents {
  /** The arguments of tool calls, as JSON. */
  readonly arguments?: boolean;
  /** The results of tool calls, as JSON. */
  readonly results?: boolean;
  /** The URI of a resource that is read or subscribed to. */
  readonly resourceUris?: boolean;
  /** The arguments of prompts. */
  readonly promptVariables?: boolean;
}

/** Options of `otel`, the same at both ends. */
export interface OtelOptions {
  /**
   * `full` makes spans and metrics. `propagation` only passes the context on, where another layer makes the spans. `off` does nothing.
   * Default: `full`.
   */
  readonly mode?: 'full' | 'propagation' | 'off';
  /** Contents that spans have. Default: none. */
  readonly capture?: CapturedContents;
  /** True to send and accept `baggage`, which may have texts of users. Default: false. */
  readonly baggage?: boolean;
  /** Methods of requests without spans, such as `tasks/get`; their time is measured. Default: none. */
  readonly withoutSpans?: readonly string[];
  /**
   * True to add the attributes of a tool call to a current `execute_tool` span of an agent framework, in place of a span of its own. At
   * clients. Default: false.
   */
  readonly joinExecuteTool?: boolean;
  /** Default: the global one. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the global one. */
  readonly meterProvider?: MeterProvider;
}

const modes = ['full', 'propagation', 'off'];

/** @throws TypeError if an option is misspelt or malformed. */
export function requireOtelOptions(options: OtelOptions): void {
  const { flag, object, texts } = optionRules;
  requireOptions<OtelOptions>('otel', options, {
    mode: { is: modes.join(', '), allows: (value) => modes.includes(value as string) },
    capture: object,
    baggage: flag,
    withoutSpans: texts,
    joinExecuteTool: flag,
    tracerProvider: object,
    meterProvider: object,
  });
  requireOptions<CapturedContents>('otel: capture', options.capture ?? {}, {
    arguments: flag,
    results: flag,
    resourceUris: flag,
    promptVariables: flag,
  });
}
