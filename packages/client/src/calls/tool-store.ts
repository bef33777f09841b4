/** The weight of all values of one store: their memory stays below 250 MiB. */
export const heaviestTogether = 500_000;

/** Data about listed tools by name, with a bound on their number and on their weight. The oldest is dropped. */
export class ToolStore<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #limit: number;
  #weight = 0;

  /** @param limit - stored tools. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name)?.value;
  }

  /** Stores a value as the newest. @param weight - the values that it has, as `weigh` counts them. */
  set(name: string, value: Value, weight: number): void {
    this.delete(name);
    const whole = weight + Math.floor(name.length / charactersPerPart);
    this.#entries.set(name, { value, weight: whole });
    this.#weight += whole;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit && this.#weight <= heaviestTogether) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#weight -= this.#entries.get(name)?.weight ?? 0;
    this.#entries.delete(name);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}

/** Characters that count as one value. */
export const charactersPerPart = 32;

/** Returns the number of values in a JSON value, itself included; long texts count for more. Stops counting at `most`. */
export function weigh(json: unknown, most: number): number {
  const open: unknown[] = [json];
  let parts = 1;
  while (open.length > 0 && parts < most) {
    const next = open.pop();
    if (typeof next === 'string') parts += Math.floor(next.length / charactersPerPart);
    if (typeof next !== 'object' || next === null) continue;
    // Not by entries, which would create a list for each member: hostile pages are large.
    for (const key in next) {
      parts += 1 + Math.floor(key.length / charactersPerPart);
      if (parts >= most) break;
      const value = (next as Readonly<Record<string, unknown>>)[key];
      if (typeof value === 'object' || typeof value === 'string') open.push(value);
    }
  }
  return Math.min(parts, most);
}
