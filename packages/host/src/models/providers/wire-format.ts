import type { AudioContent, ImageContent, JsonObject, UnknownObject } from '@tenon/mcp-protocol';
import { readArguments } from '../formats/tool-calls.js';
import type { ModelReply, ModelRequest, ModelUsage, ToolCallBlock } from '../model.js';
import type { EndpointFormat } from './endpoint.js';

/** A reply as its endpoint sent it: usage, name and ids may be missing. */
export interface WireReply extends Pick<ModelReply, 'content' | 'stopReason'> {
  readonly usage: ModelUsage | undefined;
  readonly model: string | undefined;
}

/** Puts the events of a stream together. */
export interface ReplyAssembler {
  /** Adds an event. @throws InvalidReply */
  add(event: UnknownObject): void;
  /** Returns the message as it would have come without streaming; undefined if the stream is incomplete. */
  message(): UnknownObject | undefined;
}

/** The wire format of one API. */
export interface WireFormat extends EndpointFormat {
  /** Marks blocks that only this format understands. */
  readonly name: 'openai' | 'anthropic';
  /** Members of the body that request a stream. */
  readonly streaming: JsonObject;
  /** Data of an event that is not JSON and ends the stream. */
  readonly lastEvent?: string;
  /** @param tools - in this format. */
  body(request: ModelRequest, tools: readonly object[]): UnknownObject;
  /** Reads a message. @throws InvalidReply */
  reply(message: UnknownObject): WireReply;
  /** @param onText - receives text as it arrives. */
  assembler(onText: (text: string) => void): ReplyAssembler;
}

/** Thrown if an endpoint's message does not follow the format. The message completes the sentence "it sent ...". */
export class InvalidReply extends Error {}

/** Reads a call. Malformed arguments are a problem of the call: the model can correct them. */
export function toolCall(id: unknown, name: unknown, written: unknown): ToolCallBlock {
  if (typeof name !== 'string' || name === '') throw new InvalidReply('a tool call without a name');
  const call = { type: 'tool_call', id: typeof id === 'string' ? id : '', name } as const;
  const args = readArguments(written);
  return typeof args === 'string' ? { ...call, args: {}, problem: args } : { ...call, args };
}

/** Returns a member that is a number of tokens. */
export function tokensIn(usage: UnknownObject, ...names: readonly string[]): number {
  return names.reduce((sum, name) => {
    const value = usage[name];
    return typeof value === 'number' && value > 0 ? sum + value : sum;
  }, 0);
}

/** Returns a text in place of content that a format cannot carry. */
export function leftOut({ type, mimeType }: ImageContent | AudioContent): string {
  return `[${type} of the type ${mimeType.slice(0, 100)} was left out: this model does not accept it here]`;
}

/** Returns the address of a method below the address of an API, with its query. */
export function methodUrl(baseUrl: string | URL, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  return url;
}
