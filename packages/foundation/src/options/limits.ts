import { meantOption } from './nearest.js';

/**
 * Fills in defaults.
 * @throws TypeError for an unknown limit; RangeError for a limit that is not a positive number.
 */
export function withDefaults<Limits extends object>(
  defaults: Limits,
  given: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } | undefined,
): Limits {
  if (given === undefined) return defaults;
  const limits = { ...defaults } as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(defaults, name))
      throw new TypeError(`Unknown limit "${name}".${meantOption(name, Object.keys(defaults))}`);
    if (typeof value !== 'number' || !(value > 0))
      throw new RangeError(`Limit ${name} must be a positive number.`);
    limits[name] = value;
  }
  return limits as unknown as Limits;
}
