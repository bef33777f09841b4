import { isObject, type UnknownObject } from '@tenon/json-schema/structure';
import type { JsonObject } from '@tenon/mcp-protocol';
import { isNestedDeeper } from '@tenon/mcp-protocol/internal';
import type { ModelToolCall } from '../model-tool.js';
import { visibleLine } from './text/visible-text.js';

/** A call that cannot be made. Answer it with the problem, so that the model can correct itself. */
export interface ToolCallProblem {
  readonly id: string;
  readonly name: string;
  /** The problem and its solution, as text for the model. */
  readonly problem: string;
}

/** Calls of one reply that run. */
export const mostCalls = 128;

/** The problem of the other calls. */
export const tooManyCalls: string = `The call was not made: a reply may have at most ${mostCalls} calls. Make it again in the next reply.`;

const bounds = {
  /** The arguments of one call, in characters of JSON. */
  characters: 1_000_000,
  /** Objects and lists inside each other. */
  depth: 64,
  /** Characters of a name or an id. */
  name: 256,
  /** Messages, parts and items that are looked through. */
  items: 10_000,
} as const;

/** Ids of calls of formats without ids, such as Gemini before its third generation. */
const madeId = 'tenon-call-';

/** True for an id that {@link readToolCalls} made because the reply had none. */
export function isMadeId(id: string): boolean {
  return id.startsWith(madeId);
}

/**
 * Reads the tool calls of a reply, in their order: a whole response, a message, its content, a list of calls or one call of Anthropic,
 * OpenAI (Chat Completions and Responses), Gemini or the AI SDK. Calls that the provider runs itself are left out. Whatever is wrong
 * with a call is a text in `problem`, never an exception: JSON that cannot be parsed, arguments that are not an object, are nested in
 * more than 64 levels or have more than 1,000,000 characters, and calls after the first 128. Absent arguments are an empty object.
 */
export function readToolCalls(response: unknown): (ModelToolCall | ToolCallProblem)[] {
  return rawCallsIn(response).map((call, index) => {
    const id =
      typeof call.id === 'string' && call.id !== '' ? call.id.slice(0, bounds.name) : `${madeId}${index + 1}`;
    if (typeof call.name !== 'string' || call.name === '')
      return { id, name: '', problem: 'The call has no name of a tool. Name one of the tools.' };
    const name = call.name.slice(0, bounds.name);
    if (index >= mostCalls) return { id, name, problem: tooManyCalls };
    const args = readArguments(call.args);
    return typeof args === 'string' ? { id, name, problem: args } : { id, name, args };
  });
}

/** A call before its parts are checked. */
interface RawCall {
  readonly id: unknown;
  readonly name: unknown;
  /** JSON text, or its value. */
  readonly args: unknown;
}

/** The members of responses and messages under which calls are found, those of the whole first. One of them has the calls. */
const containers = [
  // A response of Chat Completions: its other choices are alternatives.
  (value: UnknownObject) => (Array.isArray(value.choices) ? [value.choices[0]] : undefined),
  // A response of Gemini: its other candidates are alternatives.
  (value: UnknownObject) => (Array.isArray(value.candidates) ? [value.candidates[0]] : undefined),
  ...['message', 'tool_calls', 'output', 'toolCalls', 'parts', 'content'].map(
    (member) => (value: UnknownObject) =>
      typeof value[member] === 'object' && value[member] !== null ? [value[member]].flat() : undefined,
  ),
] as const;

function rawCallsIn(response: unknown): RawCall[] {
  const calls: RawCall[] = [];
  const open: unknown[] = [response];
  for (let looked = 0; open.length > 0 && looked < bounds.items; looked++) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value.slice(0, bounds.items).reverse());
    if (!isObject(value)) continue;
    const call = rawCall(value);
    if (call !== undefined) calls.push(call);
    else if (typeof value.type !== 'string' || wholes.has(value.type)) {
      const inside = containers.map((inner) => inner(value)).find((found) => found !== undefined);
      open.push(...(inside ?? []).slice(0, bounds.items).reverse());
    }
  }
  return calls;
}

/** Types of messages. Other objects with a type are parts, and hold no calls. */
const wholes: ReadonlySet<string> = new Set(['message', 'response']);

function rawCall(value: UnknownObject): RawCall | undefined {
  const { type, id, name, input } = value;
  if (value.providerExecuted === true) return undefined;
  if (type === 'tool_use') return { id, name, args: input };
  if (type === 'function_call') return { id: value.call_id, name, args: value.arguments };
  if (type === 'custom' && isObject(value.custom))
    return { id, name: value.custom.name, args: value.custom.input };
  if (isObject(value.function)) return { id, name: value.function.name, args: value.function.arguments };
  if (isObject(value.functionCall)) {
    const { id: callId, name: called, args } = value.functionCall;
    return { id: callId, name: called, args };
  }
  if (typeof value.toolName === 'string' && (type === undefined || type === 'tool-call'))
    return { id: value.toolCallId, name: value.toolName, args: input ?? value.args };
  // A call of Gemini, as `response.functionCalls` has it.
  return type === undefined && typeof name === 'string' && value.response === undefined && 'args' in value
    ? { id, name, args: value.args }
    : undefined;
}

/** Returns the arguments of a call, which are JSON text or its value; or the problem with them as text for the model. */
export function readArguments(given: unknown): JsonObject | string {
  if (given === undefined || given === null) return {};
  const text = typeof given === 'string' ? given : textOf(given);
  if (text === undefined) return 'The arguments are not JSON. Make the call again with a JSON object.';
  if (text.length > bounds.characters)
    return `The arguments have ${text.length} characters, more than ${bounds.characters}. Make the call again with less.`;
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = typeof given === 'string' ? JSON.parse(text) : given;
  } catch (error) {
    const why = error instanceof Error ? visibleLine(error.message, 200) : '';
    return `The arguments are not valid JSON (${why}). Make the call again with a JSON object.`;
  }
  if (value === null) return {};
  if (!isObject(value))
    return `The arguments are ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}. Make the call again with a JSON object of named arguments.`;
  if (isNestedDeeper(value, text, bounds.depth))
    return `The arguments are nested in more than ${bounds.depth} levels. Make the call again with fewer.`;
  return value as JsonObject;
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // It refers to itself, or is nested too deeply.
    return undefined;
  }
}
