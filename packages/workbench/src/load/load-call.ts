import type { JsonObject, Tool } from '@tenon/mcp-client';
import { WorkbenchError } from '../failures/workbench-error.js';

/** One kind of call in a load: a tool with its arguments, or a request that every server answers. */
export type LoadCall = ToolLoad | RequestLoad;

/** A call of a tool. */
interface ToolLoad {
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** Makes the arguments from the listed tool, once, before the load. It replaces `arguments`. */
  readonly makeArguments?: (tool: Tool) => Promise<JsonObject>;
  /** Its share of all calls, relative to the others; 1 by default. */
  readonly weight?: number;
}

/** A request without arguments. */
interface RequestLoad {
  readonly method: 'ping' | 'tools/list' | 'resources/list' | 'prompts/list';
  readonly weight?: number;
}

/** The name of a call in reports. */
export function nameOf(call: LoadCall): string {
  return 'tool' in call ? call.tool : call.method;
}

const methods: readonly string[] = ['ping', 'tools/list', 'resources/list', 'prompts/list'];
const mostCalls = 100;
const mostWeight = 1_000;

/**
 * Reads a list of calls, such as `[{ "tool": "search", "arguments": { "q": "a" }, "weight": 3 }]`.
 * @param source - the name of the file for errors.
 * @throws WorkbenchError `usage` if a call is broken.
 */
export function readLoadCalls(value: unknown, source: string): readonly LoadCall[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= mostCalls;
  if (!isList) {
    throw new WorkbenchError('usage', `${source} must contain a list of 1 to ${mostCalls} calls.`, {
      hint: 'For example: [{ "tool": "search", "arguments": { "q": "a" }, "weight": 3 }, { "method": "tools/list" }]',
    });
  }
  return value.map((call: unknown, index) => readCall(call, `Call ${index + 1} in ${source}`));
}

function readCall(value: unknown, where: string): LoadCall {
  const { tool, method, arguments: given, weight = 1, ...rest } = Object(value) as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new WorkbenchError('usage', `${where} has an unknown member "${unknown}".`, {
      hint: 'Members are tool, arguments, method and weight.',
    });
  if (typeof weight !== 'number' || !Number.isInteger(weight) || weight < 1 || weight > mostWeight)
    throw new WorkbenchError('usage', `${where}: weight must be a whole number from 1 to ${mostWeight}.`);
  if (typeof method === 'string' && methods.includes(method) && tool === undefined)
    return { method: method as RequestLoad['method'], weight };
  if (typeof tool !== 'string' || method !== undefined)
    throw new WorkbenchError('usage', `${where} needs a tool, or one of the methods ${methods.join(', ')}.`);
  if (given === undefined) return { tool, weight };
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new WorkbenchError('usage', `${where}: arguments must be an object.`);
  return { tool, arguments: given as JsonObject, weight };
}

/** Deals calls by their weights, each kind as evenly as possible: 3 and 1 are dealt a, a, b, a. */
export class CallMix {
  readonly #calls: readonly LoadCall[];
  readonly #due: number[];
  readonly #total: number;

  constructor(calls: readonly LoadCall[]) {
    this.#calls = calls;
    this.#due = calls.map(() => 0);
    this.#total = calls.reduce((sum, { weight = 1 }) => sum + weight, 0);
  }

  /** Returns the index of the next call. */
  next(): number {
    let chosen = 0;
    for (const [index, { weight = 1 }] of this.#calls.entries()) {
      const due = (this.#due[index] ?? 0) + weight;
      this.#due[index] = due;
      if (due > (this.#due[chosen] ?? 0)) chosen = index;
    }
    this.#due[chosen] = (this.#due[chosen] ?? 0) - this.#total;
    return chosen;
  }
}
