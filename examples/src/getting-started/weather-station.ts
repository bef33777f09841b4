/** One measurement. */
export interface Reading {
  readonly city: string;
  readonly day: number;
  readonly unit: 'C' | 'F';
}

/** In a real program, a weather service. The high of a day, always the same for a city. */
export async function highFor({ city, day, unit }: Reading, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const celsius = (city.length * 3 + day * 2) % 30;
  return unit === 'C' ? celsius : Math.round(celsius * 1.8 + 32);
}
