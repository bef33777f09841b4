import { isRecord, jsonIn, randomId } from '@tenon/foundation';
import type { JsonObject, UnknownObject } from '@tenon/mcp-protocol';
import { restoreArguments } from '../formats/restore-arguments.js';
import { estimateTokens } from '../formats/tokens.js';
import { modelTools } from '../formats/tool-definitions.js';
import { joinedText, type Model, type ModelReply, type ModelRequest, type ReplyOptions } from '../model.js';
import type { ModelTool } from '../model-tool.js';
import { Endpoint, type ModelOptions } from './endpoint.js';
import { BrokenResponse, eventsOf, mostReplyBytes, ReplyTooLarge, textParts } from './response-body.js';
import { InvalidReply, type WireFormat, type WireReply } from './wire-format.js';

const ignore = () => {};

/** A model behind an HTTP endpoint. */
export class HttpModel implements Model {
  readonly name: string;
  readonly #format: WireFormat;
  readonly #endpoint: Endpoint;
  readonly #members: UnknownObject;
  readonly #maxTokens: { readonly maxTokens?: number };

  constructor(format: WireFormat, options: ModelOptions) {
    this.#endpoint = new Endpoint(format, options);
    this.name = options.model;
    this.#format = format;
    this.#members = options.body ?? {};
    this.#maxTokens = options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens };
  }

  async reply(request: ModelRequest, { signal, onText }: ReplyOptions = {}): Promise<ModelReply> {
    const { tools } = modelTools(request.tools, { for: this.#format.name });
    const body = JSON.stringify({
      model: this.name,
      ...this.#format.body({ ...this.#maxTokens, ...request }, tools),
      ...(onText !== undefined && this.#format.streaming),
      ...this.#members,
    });
    const { usage, model, stopReason, content } = await this.#endpoint.post(body, signal, (response, stop) =>
      this.#read(response, onText ?? ignore, stop),
    );
    return {
      content: restored(withOwnIds(content), request.tools),
      stopReason,
      usage: usage ?? { input: estimateTokens(body), output: estimateTokens(JSON.stringify(content)) },
      model: model ?? this.name,
    };
  }

  async #read(response: Response, onText: (text: string) => void, signal: AbortSignal): Promise<WireReply> {
    try {
      const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
      return await (isStream ? this.#stream(response, onText, signal) : this.#whole(response, onText));
    } catch (error) {
      if (error instanceof ReplyTooLarge)
        throw this.#endpoint.error(
          'too-large',
          `sent a reply of more than ${mostReplyBytes} bytes. Lower "maxTokens".`,
        );
      if (error instanceof InvalidReply)
        throw this.#endpoint.error(
          'invalid-answer',
          `sent ${error.message}. Check that "baseUrl" is an API of this format.`,
        );
      throw error instanceof BrokenResponse ? this.#endpoint.broken(error.cause) : error;
    }
  }

  async #whole(response: Response, onText: (text: string) => void): Promise<WireReply> {
    let text = '';
    for await (const part of textParts(response)) text += part;
    const reply = this.#format.reply(this.#object(text));
    const all = joinedText(reply.content);
    if (all !== '') onText(all);
    return reply;
  }

  async #stream(response: Response, onText: (text: string) => void, signal: AbortSignal): Promise<WireReply> {
    const assembler = this.#format.assembler(onText);
    for await (const data of eventsOf(response)) {
      // The caller may have its error by now, and expects no more text.
      signal.throwIfAborted();
      if (data === this.#format.lastEvent) break;
      assembler.add(this.#object(data));
    }
    const message = assembler.message();
    if (message === undefined) throw new InvalidReply('a stream that ends within the reply');
    return this.#format.reply(message);
  }

  #object(text: string): JsonObject {
    // The text may be a page of a proxy, and says nothing more.
    const value = jsonIn(text);
    if (!isRecord(value)) throw new InvalidReply('something other than a JSON object');
    if (value.error !== undefined && value.error !== null) throw this.#endpoint.reported(value.error);
    return value as JsonObject;
  }
}

/** Returns the content with the arguments of calls as the servers expect them. */
function restored(content: ModelReply['content'], tools: readonly ModelTool[]): ModelReply['content'] {
  return content.map((block) => {
    const called = block.type === 'tool_call' ? tools.find(({ name }) => name === block.name) : undefined;
    return block.type === 'tool_call' && called !== undefined
      ? { ...block, args: restoreArguments(called.tool, block.args) }
      : block;
  });
}

/** Returns the content with an id for each call that differs from those of the others. Local endpoints leave ids out, or repeat them. */
function withOwnIds(content: ModelReply['content']): ModelReply['content'] {
  const used = new Set<string>();
  return content.map((block) => {
    if (block.type !== 'tool_call') return block;
    const id = block.id === '' || used.has(block.id) ? `call_${randomId(12)}` : block.id;
    used.add(id);
    return id === block.id ? block : { ...block, id };
  });
}
