import type { SchemaObject } from '@tenon/mcp-protocol';
import { needsInterpreter } from './cost.js';
import type { Dialect } from './dialect.js';

/** Libraries that look no longer at a union that holds itself, for what its branches have in common. */
const quick: ReadonlySet<string> = new Set(['zod', 'arktype']);
/** A step of a library may take some microseconds. */
const mostSteps = 30_000;

/** Throws `OutOfSteps` for a value that would keep a library busy. */
export type Guard = (value: unknown) => void;

/** Whose schema it is and how it is listed. */
export interface Guarded {
  readonly json: SchemaObject;
  readonly vendor: string;
  readonly dialect: Dialect;
}

/**
 * What has to be asked before a library looks at a value, if anything: a union that refers to itself may double the
 * work at each level of what a peer sends.
 */
export function guardOf({ json, vendor, dialect }: Guarded): (() => Promise<Guard>) | undefined {
  if (quick.has(vendor) || !needsInterpreter(json) || !JSON.stringify(json).includes('"anyOf"'))
    return undefined;
  return async () => {
    const { measure } = await import('@tenon/mcp-protocol/interpreter');
    return measure(json, { dialect, steps: mostSteps });
  };
}
