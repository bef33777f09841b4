import {
  type Clock,
  onAbort,
  optionRules,
  requireOptions,
  systemClock,
  unlessAborted,
  withDefaults,
} from '@tenon/foundation';
import {
  callsIn,
  joinedText,
  type Model,
  type ModelMessage,
  type ModelReply,
  type ModelUsage,
  type ToolCallBlock,
  type ToolResultBlock,
} from '../model.js';
import type { ModelTool } from '../model-tool.js';
import { runCalls, type ToolRunner } from './tool-calls.js';
import { errorResult, Transcript, type TranscriptBounds, transcriptBounds } from './transcript.js';

/** The limits of {@link converse}. They are checked after each reply and before tools run, so the last reply may exceed them. */
export interface ConverseLimits {
  /** Replies of the model. Default 25. */
  readonly turns: number;
  /** Tokens of all replies, input and output. Default 1,000,000. */
  readonly tokens: number;
  /** Milliseconds, tools and the user's consent included. Default 1,800,000. */
  readonly time: number;
  /** The price of all replies; needs the option `price`. Default: none. */
  readonly cost: number;
}

/** The limit that ended a conversation. `transcript`: its messages or characters. */
export type ConverseLimit = 'turns' | 'tokens' | 'time' | 'cost' | 'transcript';

/** An event of a conversation. Texts, arguments and results are not verified: clean them before they are displayed. */
export type ConverseEvent =
  | { readonly type: 'text'; readonly turn: number; readonly text: string }
  | { readonly type: 'call'; readonly turn: number; readonly call: ToolCallBlock }
  | {
      readonly type: 'result';
      readonly turn: number;
      readonly call: ToolCallBlock;
      readonly result: ToolResultBlock;
    }
  /** The sums of all replies so far. */
  | {
      readonly type: 'usage';
      readonly turn: number;
      readonly usage: ModelUsage;
      readonly cost: number | undefined;
    }
  /** A message is in the transcript. */
  | { readonly type: 'message'; readonly turn: number; readonly message: ModelMessage }
  | { readonly type: 'limit'; readonly turn: number; readonly limit: ConverseLimit };

/** The options of {@link converse}. */
export interface ConverseOptions {
  readonly model: Model;
  /** The conversation so far, with the user's message at its end. */
  readonly messages: readonly ModelMessage[];
  readonly system?: string;
  /** The tools, or a function that returns them; it is called before each turn, as tools may change. Default: none. */
  readonly tools?: readonly ModelTool[] | (() => readonly ModelTool[] | Promise<readonly ModelTool[]>);
  readonly run: ToolRunner;
  readonly limits?: Partial<ConverseLimits>;
  /** The price of a million tokens, in any currency. */
  readonly price?: { readonly input: number; readonly output: number };
  /** The most tokens of each reply. Default: the model's own. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Ends the conversation. Running tools are cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the events. An error that it throws ends the conversation. */
  readonly onEvent?: (event: ConverseEvent) => void;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The result of {@link converse}. */
export interface ConverseResult {
  /** All messages: pass them with the user's next message to go on. Each call has its result. */
  readonly messages: readonly ModelMessage[];
  /** The text of the model's last message; empty if it has none. */
  readonly text: string;
  /** `stopped`: the model ended its reply. `cancelled`: the signal aborted. */
  readonly end: 'stopped' | 'cancelled' | 'limit';
  readonly limit: ConverseLimit | undefined;
  /** The stop reason of the last reply. */
  readonly stopReason: ModelReply['stopReason'] | undefined;
  readonly turns: number;
  readonly usage: ModelUsage;
  /** Undefined without the option `price`. */
  readonly cost: number | undefined;
}

const defaults: ConverseLimits = {
  turns: 25,
  tokens: 1_000_000,
  time: 1_800_000,
  cost: Number.POSITIVE_INFINITY,
};

const rules = {
  model: optionRules.object,
  messages: { is: 'a list of messages', allows: Array.isArray },
  system: optionRules.anything,
  tools: optionRules.anything,
  run: optionRules.callable,
  limits: optionRules.object,
  price: optionRules.object,
  maxTokens: optionRules.positive,
  temperature: optionRules.notNegative,
  signal: optionRules.anything,
  onEvent: optionRules.callable,
  clock: optionRules.object,
};

/**
 * Converses with a model that calls tools: the model replies, its calls run, it receives their results, until it makes no more calls, a limit
 * is reached, or the signal aborts. Every call has exactly one result, in the order of the calls. Calls of the reply that reaches a limit do
 * not run.
 * @throws TypeError or RangeError for a malformed option; ModelError if a reply fails, after the events `message` of what there is.
 */
export async function converse(options: ConverseOptions): Promise<ConverseResult> {
  requireOptions('converse', options, rules);
  const loop = new ConversationLoop(options);
  try {
    return await loop.run();
  } finally {
    loop.close();
  }
}

class ConversationLoop {
  readonly #options: ConverseOptions;
  readonly #limits: ConverseLimits & TranscriptBounds;
  readonly #transcript: Transcript;
  readonly #stop = new AbortController();
  readonly #release: () => void;
  readonly #cancelTimer: () => void;
  #turn = 0;
  #input = 0;
  #output = 0;
  #stopReason: ModelReply['stopReason'] | undefined;
  #isLate = false;

  constructor(options: ConverseOptions) {
    const { messages, signal, price, clock = systemClock } = options;
    this.#options = options;
    this.#limits = withDefaults(defaults, options.limits, transcriptBounds);
    if (Number.isFinite(this.#limits.cost) && price === undefined)
      throw new TypeError('converse: limits.cost needs the option "price".');
    this.#transcript = new Transcript(messages, this.#limits);
    this.#release = onAbort(signal, () => this.#stop.abort(signal?.reason));
    this.#cancelTimer = clock.schedule(() => {
      this.#isLate = true;
      this.#stop.abort(new Error(`The conversation takes longer than ${this.#limits.time} ms.`));
    }, this.#limits.time);
  }

  /** Ends the work that is left. */
  close(): void {
    this.#release();
    this.#cancelTimer();
    this.#stop.abort();
  }

  async run(): Promise<ConverseResult> {
    for (;;) {
      if (this.#stop.signal.aborted) return this.#aborted();
      if (this.#transcript.isFull) return this.#limited('transcript');
      this.#turn++;
      const reply = await this.#reply();
      if (reply === undefined) return this.#aborted();
      const calls = callsIn(reply.content);
      if (calls.length === 0) return this.#ended('stopped');
      const limit = this.#reachedLimit();
      if (limit !== undefined) {
        this.#addResults(
          calls.map(({ id }) => errorResult(id, `The call did not run: the limit of ${limit} is reached.`)),
        );
        return this.#limited(limit);
      }
      await this.#runCalls(calls);
    }
  }

  /** Adds a reply to the transcript. Returns undefined if the conversation was aborted; the text so far is in the transcript then. */
  async #reply(): Promise<ModelReply | undefined> {
    const { model, system, maxTokens, temperature } = this.#options;
    const { signal } = this.#stop;
    let said = '';
    const onText = (text: string) => {
      if (signal.aborted) return;
      said += text;
      this.#emit({ type: 'text', turn: this.#turn, text });
    };
    try {
      const tools = await unlessAborted(this.#tools(), signal);
      const request = {
        ...(system !== undefined && { system }),
        messages: this.#transcript.messages,
        tools,
        toolChoice: 'auto',
        ...(maxTokens !== undefined && { maxTokens }),
        ...(temperature !== undefined && { temperature }),
      } as const;
      const reply = await unlessAborted(model.reply(request, { signal, onText }), signal);
      this.#count(reply);
      return reply;
    } catch (error) {
      if (!signal.aborted) throw error;
      if (said !== '') this.#add('assistant', [{ type: 'text', text: said }]);
      return undefined;
    }
  }

  async #tools(): Promise<readonly ModelTool[]> {
    const { tools = [] } = this.#options;
    return typeof tools === 'function' ? tools() : tools;
  }

  #count({ content, usage, stopReason }: ModelReply): void {
    this.#input += usage.input;
    this.#output += usage.output;
    this.#stopReason = stopReason;
    if (content.length > 0) this.#add('assistant', content);
    this.#emit({ type: 'usage', turn: this.#turn, usage: this.#usage, cost: this.#cost });
  }

  async #runCalls(calls: readonly ToolCallBlock[]): Promise<void> {
    const turn = this.#turn;
    for (const call of calls) this.#emit({ type: 'call', turn, call });
    const { results, failure } = await runCalls(calls, this.#options.run, {
      turn,
      signal: this.#stop.signal,
      onResult: (call, result) => this.#emit({ type: 'result', turn, call, result }),
    });
    this.#addResults(results);
    if (failure !== undefined) throw failure.error;
  }

  #addResults(results: readonly ToolResultBlock[]): void {
    this.#add('user', this.#transcript.fitted(results));
  }

  #add(role: ModelMessage['role'], content: ModelMessage['content']): void {
    const message = { role, content };
    this.#transcript.add(message);
    this.#emit({ type: 'message', turn: this.#turn, message });
  }

  #reachedLimit(): ConverseLimit | undefined {
    const { turns, tokens, cost } = this.#limits;
    if (this.#turn >= turns) return 'turns';
    if (this.#input + this.#output >= tokens) return 'tokens';
    return (this.#cost ?? 0) >= cost ? 'cost' : undefined;
  }

  get #usage(): ModelUsage {
    return { input: this.#input, output: this.#output };
  }

  get #cost(): number | undefined {
    const { price } = this.#options;
    return price && (this.#input * price.input + this.#output * price.output) / 1_000_000;
  }

  #aborted(): ConverseResult {
    return this.#isLate ? this.#limited('time') : this.#ended('cancelled');
  }

  #limited(limit: ConverseLimit): ConverseResult {
    this.#emit({ type: 'limit', turn: this.#turn, limit });
    return this.#ended('limit', limit);
  }

  #ended(end: ConverseResult['end'], limit?: ConverseLimit): ConverseResult {
    const { messages } = this.#transcript;
    const last = [...messages].reverse().find(({ role }) => role === 'assistant');
    return {
      messages,
      text: last === undefined ? '' : joinedText(last.content),
      end,
      limit,
      stopReason: this.#stopReason,
      turns: this.#turn,
      usage: this.#usage,
      cost: this.#cost,
    };
  }

  #emit(event: ConverseEvent): void {
    this.#options.onEvent?.(event);
  }
}
