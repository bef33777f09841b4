import type {
  CreateMessageParams,
  CreateMessageResult,
  SamplingContent,
  SamplingMessage,
  UnknownObject,
} from '@tenon/mcp-protocol';
import type { AskContext, AskHandler } from '../asks.js';
import type { Feature } from './feature.js';

/**
 * Asks the application's model. Let a person see, change and refuse what is sent and what comes back; honour
 * `maxTokens`.
 * https://modelcontextprotocol.io/specification/latest/client/sampling
 * @deprecated by 2026-07-28: servers are to ask a model provider themselves.
 */
export type OnSample = (
  params: CreateMessageParams,
  context: AskContext,
) => CreateMessageResult | Promise<CreateMessageResult>;

/** What `onSample` handles beside plain messages. */
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
export class Sampling implements AskHandler {
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

  flaw(params: UnknownObject): string | undefined {
    return pairingFlaw((params as unknown as CreateMessageParams).messages);
  }

  async answer(params: UnknownObject, context: AskContext): Promise<UnknownObject> {
    return { ...(await this.#onSample(params as unknown as CreateMessageParams, context)) };
  }
}

/** What breaks the rule that each tool use is answered by one result in the next message, which holds nothing else. */
export function pairingFlaw(messages: readonly SamplingMessage[]): string | undefined {
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
