import {
  type Base64Input,
  ErrorCode,
  type GetPromptParams,
  type GetPromptResult,
  type PageParams,
  type Principal,
  type Prompt,
  type PromptMessage,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { withBase64 } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { Completer } from '../context/context.js';
import { Context } from '../context/context.js';
import { listChanged } from '../core/audience.js';
import { requireScopes } from '../core/call-port.js';
import type { ServerFeature } from '../core/feature.js';
import { Registry, unknownEntry, type Visibility } from '../core/registry.js';
import { noteFailure } from '../input/elicitation-complete.js';
import { type EntryParts, List } from '../lists/list.js';
import { checkedMeta } from '../registration/check.js';
import { messageProblem, typeProblem } from '../results/content-problem.js';
import { runHandler } from '../run/live-run.js';
import { whenSettled } from '../run/run.js';
import { type CompiledSchema, compileSchema, describeIssues, type Outcome } from '../schemas/schema.js';
import { listedArguments } from './prompt-arguments.js';
import { checkPrompt, type PromptOptions, type PromptReturn } from './prompt-options.js';

type UntypedHandler = (args: unknown, ctx: Context) => PromptReturn | Promise<PromptReturn>;

interface PromptEntry {
  readonly definition: Prompt;
  readonly args: CompiledSchema | undefined;
  readonly handler: UntypedHandler;
  readonly visible: Visibility | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly completers: ReadonlyMap<string, Completer> | undefined;
}

/** The prompts of one server. */
export class Prompts {
  readonly #parts: EntryParts;
  readonly #registry: Registry<PromptEntry>;
  readonly #list: List<Prompt>;

  constructor(parts: EntryParts) {
    this.#parts = parts;
    this.#registry = new Registry('prompt', parts.serverGuard, (entry) =>
      parts.audience.entryChanged({ method: listChanged.prompts }, entry),
    );
    const key = (prompt: Prompt) => prompt.name;
    this.#list = new List(parts, { registry: this.#registry, member: 'prompts', key });
  }

  /** Lists and gets prompts; installed with the first prompt. */
  get feature(): ServerFeature {
    return {
      name: 'prompts',
      whenUsed: true,
      capabilities: { prompts: { listChanged: true } },
      methods: {
        'prompts/list': {
          reusesResults: true,
          handle: (request) => this.#list.get((request.params as PageParams).cursor, request.principal),
        },
        'prompts/get': { handle: (request) => this.#get(request), failed: noteFailure },
      },
    };
  }

  /** @throws TypeError if the name, the schema or another option is invalid. */
  add(name: string, options: PromptOptions, handler: UntypedHandler): void {
    checkPrompt(name, options, handler);
    const { args, visible, scopes, complete } = options;
    const { validator, limits: bounds } = this.#parts.context;
    const use = { owner: `prompt "${name}" args`, direction: 'input', validator, bounds } as const;
    const compiled = compileSchema(args, use);
    const definition = toDefinition(name, options, compiled);
    const completers = complete === undefined ? undefined : new Map(Object.entries(complete));
    checkCompleters(name, definition, completers);
    this.#parts.features.use('prompts');
    this.#registry.add(name, { definition, args: compiled, handler, visible, scopes, completers });
  }

  remove(name: string): boolean {
    return this.#registry.remove(name) !== undefined;
  }

  /** Returns the prompt, if it is visible to the caller. */
  find(name: string, principal: Principal | undefined): PromptEntry | undefined {
    return this.#registry.find(name, principal);
  }

  /** Compiles every schema that is not yet compiled. */
  async prepare(): Promise<void> {
    for (const prompt of this.#registry.all()) await prompt.args?.prepare();
  }

  #get(request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    const params = request.params as unknown as GetPromptParams;
    const prompt = this.#registry.find(params.name, request.principal);
    if (prompt === undefined) throw unknownEntry(this.#registry, params.name, request.principal);
    if (prompt.scopes !== undefined) requireScopes(request, prompt.scopes);
    const args = params.arguments ?? {};
    const checked: Outcome | Promise<Outcome> = prompt.args?.validate(args) ?? { ok: true, value: args };
    return checked instanceof Promise
      ? checked.then((outcome) => this.#run(prompt, outcome, request))
      : this.#run(prompt, checked, request);
  }

  #run(
    prompt: PromptEntry,
    outcome: Outcome,
    request: IncomingRequest,
  ): UnknownObject | Promise<UnknownObject> {
    if (!outcome.ok) {
      throw new RpcError(
        ErrorCode.invalidParams,
        `Invalid arguments for prompt ${prompt.definition.name}: ${describeIssues(outcome.issues)}`,
      );
    }
    const { runs, context } = this.#parts;
    return runHandler(runs, { request }, (run) =>
      whenSettled(prompt.handler(outcome.value, new Context(context, request, run)), (returned) =>
        readable(toResult(returned, prompt.definition), prompt.definition),
      ),
    );
  }
}

type Result = GetPromptResult<Base64Input> & UnknownObject;

function toResult(returned: PromptReturn, { name, description }: Prompt): Result {
  const described = description === undefined ? undefined : { description };
  if (isMessages(returned)) return { ...described, messages: returned };
  if (typeof returned === 'string')
    return { ...described, messages: [{ role: 'user', content: { type: 'text', text: returned } }] };
  if (typeof returned !== 'object' || returned === null) {
    throw new TypeError(
      `Prompt "${name}" returned ${String(returned)}: ` +
        'return a text, a message, a list of messages, or a result with messages.',
    );
  }
  return 'messages' in returned ? { ...described, ...returned } : { ...described, messages: [returned] };
}

/** @throws TypeError if a message is invalid. */
function readable(result: Result, { name }: Prompt): UnknownObject | Promise<UnknownObject> {
  const wrong = typeProblem(result);
  if (wrong !== undefined) throw new TypeError(`Prompt "${name}": a result ${wrong}.`);
  for (const message of result.messages) {
    const problem = messageProblem(message);
    if (problem !== undefined) throw new TypeError(`Prompt "${name}": a message ${problem}.`);
  }
  return result.messages.every(({ content }) => content.type === 'text') ? result : withBase64(result);
}

function isMessages(returned: PromptReturn): returned is readonly PromptMessage<Base64Input>[] {
  return Array.isArray(returned);
}

function toDefinition(name: string, options: PromptOptions, args: CompiledSchema | undefined): Prompt {
  const { title, description, icons, meta, args: schema } = options;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons }),
    ...(schema !== undefined && args !== undefined && { arguments: listedArguments(name, schema, args) }),
    ...checkedMeta(`Prompt "${name}"`, meta),
  };
}

function checkCompleters(
  name: string,
  prompt: Prompt,
  completers: ReadonlyMap<string, Completer> | undefined,
): void {
  const known = new Set(prompt.arguments?.map((argument) => argument.name));
  for (const argument of completers?.keys() ?? []) {
    if (!known.has(argument))
      throw new TypeError(`Prompt "${name}" completes "${argument}", which is not one of its arguments.`);
  }
}
