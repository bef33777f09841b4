import { optionRules, requireOptions } from '@tenon/foundation';
import {
  type CreateMessageParams,
  type CreateMessageResult,
  ErrorCode,
  type ModelPreferences,
  RpcError,
  type ToolUseContent,
} from '@tenon/mcp-protocol';
import { visibleText } from '../formats/text/visible-text.js';
import { callsIn, type Model, type ModelReply, type ModelRequest } from '../model.js';
import { ModelError } from '../model-error.js';
import { chooseModel, type RatedModel } from './choose-model.js';
import { modelMessages, offeredTools, SamplingNames, samplingResult } from './sampling-messages.js';

/** The model that answers servers, a list to choose from, or a function that chooses. */
export type SampledModels =
  | Model
  | readonly RatedModel[]
  | ((preferences: ModelPreferences) => Model | Promise<Model>);

/** The options of {@link sampleWith}. */
export interface SampleOptions {
  /** The most tokens of an answer. A request for more receives no more than these. Default 4,096. */
  readonly maxTokens?: number;
}

/** Answers a sampling request with a model. It is an `onSample` of a client. */
export type Sample = (
  params: CreateMessageParams,
  context?: { readonly signal?: AbortSignal },
) => Promise<CreateMessageResult>;

/**
 * Returns a function that answers sampling requests of servers with a model. It honours preferences for models, `maxTokens`, `temperature`,
 * `stopSequences`, tools and tool choice, and ignores `includeContext`. Texts of the server reach the model without hidden characters. It shows nothing to the user: show the params before, and the result
 * after it. A client that uses it may declare `samplingTools`.
 *
 * The function rejects with an RpcError if the model fails or does not keep to the tool choice; the reason of a model's failure is its
 * cause, and is not sent.
 * https://modelcontextprotocol.io/specification/latest/client/sampling
 * @throws TypeError if there is no model.
 */
export function sampleWith(models: SampledModels, options: SampleOptions = {}): Sample {
  requireOptions('sampleWith', options, { maxTokens: optionRules.positive });
  if (Array.isArray(models) && models.length === 0)
    throw new TypeError('sampleWith: the list of models is empty.');
  const { maxTokens = 4_096 } = options;
  return async (params, { signal } = {}) => {
    const sampling = new Sampling(params, Math.min(params.maxTokens, maxTokens));
    try {
      const model = await chosen(models, params.modelPreferences ?? {});
      return await sampling.answer(model, signal);
    } catch (cause) {
      if (!(cause instanceof ModelError)) throw cause;
      throw failed(`The model of the client failed (${cause.reason}).`, cause);
    }
  };
}

function chosen(models: SampledModels, preferences: ModelPreferences): Model | undefined | Promise<Model> {
  if (typeof models === 'function') return models(preferences);
  return 'reply' in models ? models : chooseModel(models, preferences);
}

/** One sampling request. */
class Sampling {
  readonly #names: SamplingNames;
  readonly #offered: ReadonlySet<string>;
  readonly #request: ModelRequest & { readonly maxTokens: number };

  /** @throws RpcError if a tool is required and there is none, or two tools have one name. */
  constructor(params: CreateMessageParams, maxTokens: number) {
    const { messages, systemPrompt, temperature, stopSequences, tools = [], toolChoice = {} } = params;
    this.#names = new SamplingNames(params);
    const mode = toolChoice.mode ?? 'auto';
    if (mode === 'required' && tools.length === 0)
      throw new RpcError(
        ErrorCode.invalidParams,
        'params.toolChoice requires a tool, and params.tools has none.',
      );
    if (new Set(tools.map(({ name }) => name)).size < tools.length)
      throw new RpcError(ErrorCode.invalidParams, 'params.tools has two tools of one name.');
    // A tool that the model must not use is not offered.
    const offered = mode === 'none' ? [] : offeredTools(tools, this.#names);
    this.#offered = new Set(offered.map(({ name }) => name));
    this.#request = {
      messages: modelMessages(messages, this.#names),
      tools: offered,
      toolChoice: offered.length === 0 ? 'none' : mode,
      maxTokens,
      ...(systemPrompt !== undefined && { system: visibleText(systemPrompt) }),
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences !== undefined && { stopSequences }),
    };
  }

  async answer(model: Model | undefined, signal: AbortSignal | undefined): Promise<CreateMessageResult> {
    if (model === undefined) throw failed('The client has no model for this request.');
    const request = this.#request;
    let reply = await model.reply(request, { signal });
    if (request.toolChoice === 'required' && this.#calls(reply).length === 0)
      reply = await model.reply(this.#reminder(reply), { signal });
    const calls = this.#calls(reply);
    if (request.toolChoice === 'required' && calls.length === 0)
      throw failed('The model called no tool, and params.toolChoice requires one.');
    return samplingResult(reply, calls);
  }

  /** Returns the request again, with the reply that called no tool. */
  #reminder({ content, usage }: ModelReply): ModelRequest {
    const { messages, maxTokens } = this.#request;
    const text = { type: 'text', text: 'Answer with a call of one of the tools.' } as const;
    return {
      ...this.#request,
      messages: [
        ...messages,
        ...(content.length > 0 ? [{ role: 'assistant', content } as const] : []),
        { role: 'user', content: [text] },
      ],
      maxTokens: Math.max(1, maxTokens - usage.output),
    };
  }

  /** Returns the calls of a reply as the server's. @throws RpcError for a call that the server did not allow, or cannot use. */
  #calls({ content }: ModelReply): readonly ToolUseContent[] {
    return callsIn(content).map(({ id, name, args, problem }) => {
      if (this.#request.toolChoice === 'none')
        throw failed('The model called a tool, and the request allows none.');
      const own = this.#offered.has(name) ? this.#names.ofServer(name) : undefined;
      if (own === undefined) throw failed('The model called a tool that the request does not have.');
      if (problem !== undefined) throw failed(`The model called the tool "${own}" with malformed arguments.`);
      return { type: 'tool_use', id, name: own, input: args };
    });
  }
}

function failed(message: string, cause?: unknown): RpcError {
  return new RpcError(ErrorCode.internalError, message, { cause });
}
