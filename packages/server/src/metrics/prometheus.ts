/** Values of labels, in the order of the names of the metric. */
type LabelValues = readonly string[];

/** The most label sets of one metric: names from the wire must not fill the memory. */
const mostSeries = 2_000;

/** One metric, as the text format of Prometheus writes it. */
export interface Metric {
  text(): string;
}

/** The name, the help and the names of the labels of a metric. */
export interface MetricHead {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** A number that grows, for each set of label values. */
export class Counter implements Metric {
  readonly #head: MetricHead;
  readonly #series = new Map<string, number>();

  constructor(head: MetricHead) {
    this.#head = head;
    if ((head.labels ?? []).length === 0) this.#series.set('', 0);
  }

  add(values: LabelValues = [], by = 1): void {
    const key = labelText(this.#head.labels, values);
    if (!this.#series.has(key) && this.#series.size >= mostSeries) return;
    this.#series.set(key, (this.#series.get(key) ?? 0) + by);
  }

  text(): string {
    const lines = [...this.#series].map(([labels, value]) => `${this.#head.name}${braced(labels)} ${value}`);
    return described(this.#head, 'counter', lines);
  }
}

/** A number that is read when it is written. */
export class Gauge implements Metric {
  readonly #head: MetricHead;
  readonly #read: () => number;

  constructor(head: MetricHead, read: () => number) {
    this.#head = head;
    this.#read = read;
  }

  text(): string {
    return described(this.#head, 'gauge', [`${this.#head.name} ${this.#read()}`]);
  }
}

/** Counts of values up to each bound, for each set of label values. */
export class Histogram implements Metric {
  readonly #head: MetricHead;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly counts: number[]; sum: number; count: number }>();

  /** @param bounds - ascending; a last bucket without a bound is added. */
  constructor(head: MetricHead, bounds: readonly number[]) {
    this.#head = head;
    this.#bounds = bounds;
  }

  observe(value: number, values: LabelValues = []): void {
    const key = labelText(this.#head.labels, values);
    let series = this.#series.get(key);
    if (series === undefined) {
      if (this.#series.size >= mostSeries) return;
      series = { counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#series.set(key, series);
    }
    series.sum += value;
    series.count++;
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
  }

  text(): string {
    const { name } = this.#head;
    const lines = [...this.#series].flatMap(([labels, { counts, sum, count }]) => {
      let below = 0;
      const before = labels === '' ? '' : `${labels},`;
      const buckets = this.#bounds.map((bound, index) => {
        below += counts[index] ?? 0;
        return `${name}_bucket{${before}le="${bound}"} ${below}`;
      });
      return [
        ...buckets,
        `${name}_bucket{${before}le="+Inf"} ${count}`,
        `${name}_sum${braced(labels)} ${sum}`,
        `${name}_count${braced(labels)} ${count}`,
      ];
    });
    return described(this.#head, 'histogram', lines);
  }
}

function described({ name, help }: MetricHead, type: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function labelText(names: readonly string[] = [], values: LabelValues): string {
  return names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`).join(',');
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
