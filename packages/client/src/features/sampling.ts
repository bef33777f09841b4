import type {
  Base64Input,
  CreateMessageParams,
  CreateMessageResult,
  SamplingContent,
  SamplingMessage,
  UnknownObject,
} from '@tenon/mcp-protocol';
import { withBase64 } from '@tenon/mcp-protocol/internal';
import type { InputRequestContext, InputRequestHandler } from '../input/input-requests.js';
import type { Feature } from './feature.js';

/**
 * Answers a sampling request with the application's model. Let the user see, change and refuse both the request and the
 * response; honour `maxTokens`.
 * https://modelcontextprotocol.io/specification/latest/client/sampling
 * @deprecated by 2026-07-28: servers call a model provider themselves.
 */
export type OnSample = (
  params: CreateMessageParams,
  context: InputRequestContext,
) => CreateMessageResult<Base64Input> | Promise<CreateMessageResult<Base64Input>>;

/** The optional parts of sampling that `onSample` handles. */
export interface SamplingSupport {
  /** `onSample` handles requests with tools. */
  readonly samplingTools?: boolean;
  /** `onSample` honours `includeContext`. */
  readonly samplingContext?: boolean;
}

/** Sampling as a feature of a client. */
export function samplingFeature(
  onSample: OnSample,
  { samplingTools = false, samplingContext = false }: SamplingSupport = {},
): Feature {
  return {
    name: 'sampling',
    capabilities: () => ({
      sampling: { ...(samplingTools && { tools: {} }), ...(samplingContext && { context: {} }) },
    }),
    inputs: { 'sampling/createMessage': new Sampling(onSample, samplingTools) },
  };
}

/** Answers `sampling/createMessage`. */
class Sampling implements InputRequestHandler {
  readonly #onSample: OnSample;
  readonly #tools: boolean;

  /** @param tools - requests with tools were declared. */
  constructor(onSample: OnSample, tools: boolean) {
    this.#onSample = onSample;
    this.#tools = tools;
  }

  undeclared(params: UnknownObject): string | undefined {
    const wantsTools = params.tools !== undefined || params.toolChoice !== undefined;
    return wantsTools && !this.#tools ? 'sampling with tools' : undefined;
  }

  problem(params: UnknownObject): string | undefined {
    return pairingProblem((params as unknown as CreateMessageParams).messages);
  }

  async answer(params: UnknownObject, context: InputRequestContext): Promise<UnknownObject> {
    const result = await this.#onSample(params as unknown as CreateMessageParams, context);
    return { ...(await withBase64(result)) };
  }
}

/**
 * Returns how the messages break the pairing rule, or undefined if they follow it: the next message answers each tool use with
 * one result and contains nothing else.
 */
export function pairingProblem(messages: readonly SamplingMessage[]): string | undefined {
  let open: ReadonlySet<string> = new Set();
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const answered = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
    if (answered.length > 0 && (answered.length < blocks.length || message.role !== 'user')) {
      return `params.messages[${index}]: tool results stand alone, in a message of the user`;
    }
    const left = new Set(open);
    for (const id of answered) {
      if (!left.delete(id))
        return `params.messages[${index}]: no tool use waits for the result "${id.slice(0, 80)}"`;
    }
    if (left.size > 0) return `params.messages[${index}]: ${left.size} tool uses before it have no result`;
    open = new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
  }
  return open.size > 0 ? 'params.messages: the last tool uses have no result' : undefined;
}

function blocksOf({ content }: SamplingMessage): readonly SamplingContent[] {
  return Array.isArray(content) ? content : [content as SamplingContent];
}
