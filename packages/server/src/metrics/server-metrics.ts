import { monitorEventLoopDelay } from 'node:perf_hooks';
import { memoryUsage } from 'node:process';
import { ErrorCode, type RequestEvent, type ServerEvent } from '@tenon/mcp-protocol';
import type { ServerEventListener } from '../core/server-events.js';
import { Counter, Gauge, Histogram, type Metric } from './prometheus.js';

/** Upper bounds in seconds of the buckets for the time of a request. */
const seconds: readonly number[] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600];

/** Names of tools, prompts and methods that have a label of their own; further ones are `other`. */
const mostNames = 500;

/** A server, as metrics use it. */
export interface EventSource {
  onEvent(listener: ServerEventListener): () => void;
}

/** The numbers of a server in this process. */
export class ServerMetrics {
  readonly #requests = new Counter({
    name: 'tenon_requests_total',
    help: 'Requests that have ended.',
    labels: ['method', 'name', 'outcome', 'code', 'transport'],
  });
  readonly #durations = new Histogram(
    {
      name: 'tenon_request_duration_seconds',
      help: 'Time from a request to its answer.',
      labels: ['method', 'name'],
    },
    seconds,
  );
  readonly #refused = new Counter({
    name: 'tenon_refused_total',
    help: 'HTTP requests and messages that were refused before they were requests of MCP.',
    labels: ['status'],
  });
  readonly #sessions = new Counter({
    name: 'tenon_session_changes_total',
    help: 'Sessions that were opened, restored from another process, or ended in this process.',
    labels: ['change'],
  });
  readonly #calls = new Counter({
    name: 'tenon_recovered_calls_total',
    help: 'Calls that were continued after another process, repeated by their client, or lost.',
    labels: ['how'],
  });
  readonly #failures = new Counter({
    name: 'tenon_failures_total',
    help: 'Errors that no client receives, as onError has them.',
  });
  readonly #dropped = new Counter({
    name: 'tenon_events_dropped_total',
    help: 'Events that listeners were too slow for: the other numbers lack them.',
  });
  readonly #delay = monitorEventLoopDelay();
  readonly #metrics: readonly Metric[];
  readonly #names = new Set<string>();
  readonly #stop: () => void;
  #open = 0;
  #isStateUp = true;

  constructor(server: EventSource) {
    this.#delay.enable();
    const delay = () => (this.#delay.count === 0 ? 0 : this.#delay.percentile(99) / 1e9);
    this.#metrics = [
      ...[this.#requests, this.#durations, this.#refused, this.#sessions, this.#calls],
      ...[this.#failures, this.#dropped],
      new Gauge({ name: 'tenon_sessions', help: 'Sessions in this process.' }, () => this.#open),
      new Gauge({ name: 'tenon_state_up', help: '1 while the shared state can be reached, else 0.' }, () =>
        this.#isStateUp ? 1 : 0,
      ),
      new Gauge(
        { name: 'nodejs_eventloop_lag_p99_seconds', help: 'Delay of the event loop since the last reading.' },
        delay,
      ),
      new Gauge({ name: 'process_resident_memory_bytes', help: 'Memory of the process.' }, () =>
        memoryUsage.rss(),
      ),
    ];
    this.#stop = server.onEvent((event) => this.#count(event));
  }

  /** Returns all numbers in the text format of Prometheus, version 0.0.4. */
  text(): string {
    const text = this.#metrics.map((metric) => metric.text()).join('');
    this.#delay.reset();
    return text;
  }

  /** Stops counting. */
  close(): void {
    this.#stop();
    this.#delay.disable();
  }

  #count(event: ServerEvent): void {
    switch (event.type) {
      case 'request':
        this.#ended(event);
        break;
      case 'refused':
        this.#refused.add([String(event.status ?? '')]);
        break;
      case 'session-opened':
      case 'session-restored':
      case 'session-ended':
        this.#sessions.add([event.type.slice('session-'.length)]);
        this.#open += event.type === 'session-ended' ? -1 : 1;
        break;
      case 'call-continued':
      case 'call-repeated':
      case 'call-lost':
        this.#calls.add([event.type.slice('call-'.length)]);
        break;
      case 'state-up':
      case 'state-down':
        this.#isStateUp = event.type === 'state-up';
        break;
      case 'failure':
        this.#failures.add();
        break;
      case 'dropped':
        this.#dropped.add([], event.count);
    }
  }

  #ended({ method, name, outcome, code, transport = '', milliseconds }: RequestEvent): void {
    const shownMethod = this.#known(method, code !== ErrorCode.methodNotFound);
    const shownName = name === undefined ? '' : this.#known(`${method} ${name}`, outcome !== 'error', name);
    this.#requests.add([shownMethod, shownName, outcome, code === undefined ? '' : String(code), transport]);
    this.#durations.observe(milliseconds / 1_000, [shownMethod, shownName]);
  }

  /** Returns a name for a label: `other` until a request has shown that it exists. */
  #known(key: string, exists: boolean, shown = key): string {
    if (this.#names.has(key)) return shown;
    if (!exists || this.#names.size >= mostNames) return 'other';
    this.#names.add(key);
    return shown;
  }
}
