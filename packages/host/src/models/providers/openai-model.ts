import { isRecord } from '@tenon/foundation';
import type { JsonObject, UnknownObject } from '@tenon/mcp-protocol';
import type { Model, ModelContent, ModelMessage, ModelReply, ModelRequest, StopReason } from '../model.js';
import { callsIn, joinedText } from '../model.js';
import type { ModelOptions } from './endpoint.js';
import { HttpModel } from './http-model.js';
import { openAiAssembler } from './openai-stream.js';
import { InvalidReply, leftOut, methodUrl, tokensIn, toolCall, type WireFormat } from './wire-format.js';

// https://platform.openai.com/docs/api-reference/chat/create
// https://docs.ollama.com/api/openai-compatibility, for members that other endpoints have.
const format: WireFormat = {
  owner: 'openAiModel',
  name: 'openai',
  url: (baseUrl = 'https://api.openai.com/v1') => methodUrl(baseUrl, '/chat/completions'),
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  streaming: { stream: true, stream_options: { include_usage: true } },
  lastEvent: '[DONE]',
  body: ({ system, messages, toolChoice, temperature, stopSequences, maxTokens }, tools) => ({
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...messages.flatMap((message) => wireMessages(message)),
    ],
    ...(tools.length > 0 && { tools, tool_choice: toolChoice }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences !== undefined && stopSequences.length > 0 && { stop: stopSequences }),
  }),
  reply,
  assembler: openAiAssembler,
};

/** OpenAI's own models since o1 reject `max_tokens`; most other endpoints know nothing else. */
const ownFormat: WireFormat = {
  ...format,
  body: ({ maxTokens, ...request }: ModelRequest, tools) => ({
    ...format.body(request, tools),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
  }),
};

/**
 * Returns a model that speaks OpenAI's Chat Completions, which OpenAI, Ollama, vLLM, LM Studio, OpenRouter and many others serve.
 *
 * The limit of tokens is sent as `max_completion_tokens` to api.openai.com and as `max_tokens` to other addresses;
 * `body: { max_tokens: undefined, max_completion_tokens: 4096 }` changes that.
 * @throws TypeError for an unknown or malformed option.
 */
export function openAiModel(options: ModelOptions): Model {
  const isOwn = options.baseUrl === undefined || new URL(options.baseUrl).hostname === 'api.openai.com';
  return new HttpModel(isOwn ? ownFormat : format, options);
}

function wireMessages({ role, content }: ModelMessage): readonly JsonObject[] {
  return role === 'assistant' ? [assistantMessage(content)] : userMessages(content);
}

function assistantMessage(content: ModelMessage['content']): JsonObject {
  const calls = callsIn(content).map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const text = joinedText(content);
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Results of tools are messages of their own and have text alone: images and sounds in them follow as a message of the user. */
function userMessages(content: ModelMessage['content']): readonly JsonObject[] {
  const results: JsonObject[] = [];
  const parts: JsonObject[] = [];
  for (const block of content) {
    if (block.type === 'tool_result') {
      const text = block.content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n');
      results.push({
        role: 'tool',
        tool_call_id: block.id,
        content: block.isError ? `Error: ${text}` : text,
      });
      const media = block.content.filter(({ type }) => type !== 'text');
      if (media.length > 0)
        parts.push({ type: 'text', text: `From the result ${block.id}:` }, ...media.map(wirePart));
    } else if (block.type === 'text' || block.type === 'image' || block.type === 'audio') {
      parts.push(wirePart(block));
    }
  }
  if (parts.length === 0) return results;
  const isText = parts.every(({ type }) => type === 'text');
  // Some endpoints accept texts alone.
  const said = isText ? parts.map(({ text }) => text).join('\n') : parts;
  return [...results, { role: 'user', content: said }];
}

const audioFormats: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

function wirePart(content: ModelContent): JsonObject {
  if (content.type === 'text') return { type: 'text', text: content.text };
  const { type, data, mimeType } = content;
  if (type === 'image') return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
  const audio = audioFormats.get(mimeType);
  return audio === undefined
    ? { type: 'text', text: leftOut(content) }
    : { type: 'input_audio', input_audio: { data, format: audio } };
}

const stopReasons: ReadonlyMap<unknown, StopReason> = new Map([
  ['stop', 'endTurn'],
  ['tool_calls', 'toolUse'],
  ['function_call', 'toolUse'],
  ['length', 'maxTokens'],
  ['content_filter', 'refusal'],
]);

function reply({ choices, usage, model }: UnknownObject): ReturnType<WireFormat['reply']> {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isRecord(choice) || !isRecord(choice.message)) throw new InvalidReply('a reply without a message');
  const { content, refusal, tool_calls: calls } = choice.message;
  const text = [textOf(content), typeof refusal === 'string' ? refusal : ''].join('');
  const blocks: ModelReply['content'][number][] = text === '' ? [] : [{ type: 'text', text }];
  for (const call of Array.isArray(calls) ? calls : []) {
    if (!isRecord(call) || !isRecord(call.function)) throw new InvalidReply('a tool call without a function');
    blocks.push(toolCall(call.id, call.function.name, call.function.arguments));
  }
  const stopReason = stopReasons.get(choice.finish_reason) ?? 'other';
  const hasCalls = callsIn(blocks).length > 0;
  return {
    content: blocks,
    // Some endpoints end a reply with calls by "stop".
    stopReason: hasCalls && stopReason === 'endTurn' ? 'toolUse' : stopReason,
    usage: isRecord(usage)
      ? { input: tokensIn(usage, 'prompt_tokens'), output: tokensIn(usage, 'completion_tokens') }
      : undefined,
    model: typeof model === 'string' && model !== '' ? model : undefined,
  };
}

/** Returns the text of a message; some endpoints send a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts
    .map((part) => (isRecord(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('');
}
