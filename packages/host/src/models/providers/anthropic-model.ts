import { isRecord } from '@tenon/foundation';
import type { JsonObject, UnknownObject } from '@tenon/mcp-protocol';
import {
  callsIn,
  type Model,
  type ModelBlock,
  type ModelMessage,
  type ModelReply,
  type ModelRequest,
  type StopReason,
} from '../model.js';
import { anthropicAssembler } from './anthropic-stream.js';
import type { ModelOptions } from './endpoint.js';
import { HttpModel } from './http-model.js';
import { InvalidReply, leftOut, methodUrl, tokensIn, toolCall, type WireFormat } from './wire-format.js';

/** The API requires a limit. */
const defaultMaxTokens = 8_192;

// https://platform.claude.com/docs/en/api/messages
const format: WireFormat = {
  owner: 'anthropicModel',
  name: 'anthropic',
  url: (baseUrl = 'https://api.anthropic.com') => {
    const hasVersion = /\/v1\/*$/.test(new URL(baseUrl).pathname);
    return methodUrl(baseUrl, hasVersion ? '/messages' : '/v1/messages');
  },
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }),
  streaming: { stream: true },
  body: (request, tools) => ({
    max_tokens: request.maxTokens ?? defaultMaxTokens,
    ...(request.system !== undefined && { system: request.system }),
    messages: request.messages.flatMap((message) => wireMessage(message)),
    ...toolMembers(request, tools),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.stopSequences !== undefined &&
      request.stopSequences.length > 0 && { stop_sequences: request.stopSequences }),
  }),
  reply,
  assembler: anthropicAssembler,
};

/**
 * Returns a model that speaks Anthropic's Messages API. `baseUrl` is the address without or with `/v1`. The limit of tokens is 8,192
 * if neither the request nor the options have one.
 *
 * In a browser the API also requires the header `anthropic-dangerous-direct-browser-access: true`, and the page shows its key to the user.
 * @throws TypeError for an unknown or malformed option.
 */
export function anthropicModel(options: ModelOptions): Model {
  return new HttpModel(format, options);
}

const toolChoices = { auto: 'auto', required: 'any', none: 'none' } as const;

/** Messages with calls need definitions of tools, also where the model must not call any. */
function toolMembers({ messages, toolChoice }: ModelRequest, tools: readonly object[]): UnknownObject {
  if (tools.length > 0) return { tools, tool_choice: { type: toolChoices[toolChoice] } };
  const names = new Set(messages.flatMap(({ content }) => callsIn(content).map(({ name }) => name)));
  if (names.size === 0) return {};
  const past = [...names].map((name) => ({ name, input_schema: { type: 'object' } }));
  return { tools: past, tool_choice: { type: 'none' } };
}

/** Returns no message for one without content, which the API rejects. */
function wireMessage({ role, content }: ModelMessage): readonly JsonObject[] {
  const blocks = content.flatMap((block) => wireBlock(block));
  // Results come first.
  const isResult = ({ type }: JsonObject) => type === 'tool_result';
  const ordered = [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
  return ordered.length === 0 ? [] : [{ role, content: role === 'user' ? ordered : blocks }];
}

function wireBlock(block: ModelBlock): readonly JsonObject[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'image':
      return [{ type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }];
    case 'audio':
      return [{ type: 'text', text: leftOut(block) }];
    case 'tool_call':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.args }];
    case 'tool_result': {
      // Beside `is_error`, the API accepts text alone.
      const content = block.content.flatMap((one) =>
        wireBlock(block.isError && one.type !== 'text' ? { type: 'text', text: leftOut(one) } : one),
      );
      const result = { type: 'tool_result', tool_use_id: block.id, content };
      return [block.isError ? { ...result, is_error: true } : result];
    }
    case 'opaque':
      return block.format === format.name ? [block.value] : [];
  }
}

const stopReasons: ReadonlyMap<unknown, StopReason> = new Map([
  ['end_turn', 'endTurn'],
  ['tool_use', 'toolUse'],
  ['max_tokens', 'maxTokens'],
  ['model_context_window_exceeded', 'maxTokens'],
  ['stop_sequence', 'stopSequence'],
  ['refusal', 'refusal'],
]);

function reply(message: UnknownObject): ReturnType<WireFormat['reply']> {
  const { content, usage, model, stop_reason: stopReason } = message;
  if (!Array.isArray(content)) throw new InvalidReply('a reply without content');
  return {
    content: content.flatMap((block) => replyBlock(block)),
    stopReason: stopReasons.get(stopReason) ?? 'other',
    usage: isRecord(usage)
      ? {
          input: tokensIn(usage, 'input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
          output: tokensIn(usage, 'output_tokens'),
        }
      : undefined,
    model: typeof model === 'string' && model !== '' ? model : undefined,
  };
}

function replyBlock(block: unknown): ModelReply['content'] {
  if (!isRecord(block)) throw new InvalidReply('content that is not an object');
  if (block.type === 'tool_use') return [toolCall(block.id, block.name, block.input)];
  if (block.type !== 'text') return [{ type: 'opaque', format: format.name, value: block as JsonObject }];
  return typeof block.text === 'string' && block.text !== '' ? [{ type: 'text', text: block.text }] : [];
}
