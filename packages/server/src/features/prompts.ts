import {
  ErrorCode,
  type GetPromptParams,
  type GetPromptResult,
  type Icon,
  isObject,
  type ListPromptsResult,
  type Meta,
  type PageParams,
  type Principal,
  type Prompt,
  type PromptArgument,
  type PromptMessage,
  RpcError,
  type SchemaObject,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { Context } from '../context.js';
import { type Definition, listChanged } from '../definition.js';
import { runHandler } from '../handling.js';
import { ListResults, pageOf } from '../pages.js';
import { Registry, type Visibility } from '../registry.js';
import {
  type CompiledSchema,
  compileSchema,
  describeIssues,
  type Outcome,
  type Schema,
} from '../schemas/schema.js';
import type { Completer, Completers } from './completers.js';
import { noteFailure } from './elicitation-complete.js';

/** What a prompt says of itself. */
export interface PromptOptions<Args extends Schema | undefined> {
  readonly title?: string;
  readonly description?: string;
  /** Shape of the arguments: an object of strings. */
  readonly args?: Args;
  /** Suggestions for arguments, by name. */
  readonly complete?: Completers;
  readonly icons?: readonly Icon[];
  readonly visible?: Visibility;
  readonly meta?: Meta;
}

/** What a prompt's handler may return: a text or content of the user's, messages, or a full result. */
export type PromptReturn = string | readonly PromptMessage[] | PromptMessage | GetPromptResult;

type PromptHandler = (args: unknown, ctx: Context) => PromptReturn | Promise<PromptReturn>;

interface PromptEntry {
  readonly definition: Prompt;
  readonly args: CompiledSchema | undefined;
  readonly handler: PromptHandler;
  readonly visible: Visibility | undefined;
  readonly completers: ReadonlyMap<string, Completer> | undefined;
}

/** The prompts of one server. */
export class Prompts {
  readonly #definition: Definition;
  readonly #registry: Registry<PromptEntry>;
  readonly #lists: ListResults<PromptEntry, ListPromptsResult & UnknownObject>;

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#registry = new Registry('prompt', () =>
      definition.audience.announce({ method: listChanged.prompts }),
    );
    this.#lists = new ListResults(this.#registry, (entries, cursor, shared) =>
      this.#list(entries, cursor, shared),
    );
  }

  /** Declares prompts and answers their methods; called with the first prompt. */
  enable(): void {
    const { requests, capabilities } = this.#definition;
    if (requests.has('prompts/get')) return;
    capabilities.add({ prompts: { listChanged: true } });
    requests.set('prompts/list', {
      reusesResults: true,
      handle: (request) => this.#lists.get((request.params as PageParams).cursor, request.principal),
    });
    requests.set('prompts/get', { handle: (request) => this.#get(request), failed: noteFailure });
  }

  /** @throws TypeError when the name or the schema is not allowed. */
  add(name: string, options: PromptOptions<Schema | undefined>, handler: PromptHandler): void {
    if (typeof name !== 'string' || name === '') throw new TypeError('A prompt needs a name.');
    if (typeof handler !== 'function')
      throw new TypeError(`Prompt "${name}" needs a handler: a function of (args, ctx).`);
    const { args, visible, complete } = options;
    const compiled =
      args === undefined
        ? undefined
        : compileSchema(args, { owner: `prompt "${name}" args`, direction: 'input' });
    const definition = toDefinition(name, options, compiled);
    const completers = complete === undefined ? undefined : new Map(Object.entries(complete));
    checkCompleters(name, definition, completers);
    this.enable();
    this.#registry.add(name, { definition, args: compiled, handler, visible, completers });
  }

  remove(name: string): boolean {
    return this.#registry.remove(name);
  }

  /** The prompt, if the caller may see it. */
  find(name: string, principal: Principal | undefined): PromptEntry | undefined {
    return this.#registry.find(name, principal);
  }

  /** Compiles every schema that is not yet. */
  async prepare(): Promise<void> {
    for (const prompt of this.#registry.all()) await prompt.args?.prepare();
  }

  #list(
    entries: readonly PromptEntry[],
    cursor: string | undefined,
    shared: boolean,
  ): ListPromptsResult & UnknownObject {
    const { limits, cache } = this.#definition;
    const page = pageOf(entries, { size: limits.pageSize, cursor, key: (entry) => entry.definition.name });
    return {
      prompts: page.items.map((entry) => entry.definition),
      ...(page.nextCursor === undefined ? undefined : { nextCursor: page.nextCursor }),
      ttlMs: cache.lists ?? 0,
      cacheScope: shared ? 'public' : 'private',
    };
  }

  #get(request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    const params = request.params as unknown as GetPromptParams;
    const prompt = this.#registry.find(params.name, request.principal);
    if (prompt === undefined)
      throw new RpcError(ErrorCode.invalidParams, `Unknown prompt: ${params.name.slice(0, 128)}`);
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
    const { name, description } = prompt.definition;
    if (!outcome.ok) {
      throw new RpcError(
        ErrorCode.invalidParams,
        `Invalid arguments for prompt ${name}: ${describeIssues(outcome.issues)}`,
      );
    }
    return runHandler(this.#definition, request, (ctx) => {
      const returned = prompt.handler(outcome.value, ctx);
      return returned instanceof Promise
        ? returned.then((value) => toResult(value, description))
        : toResult(returned, description);
    });
  }
}

function toResult(returned: PromptReturn, description: string | undefined): GetPromptResult & UnknownObject {
  const told = description === undefined ? undefined : { description };
  if (isMessages(returned)) return { ...told, messages: returned };
  if (typeof returned === 'object' && 'messages' in returned) return { ...told, ...returned };
  if (typeof returned === 'object') return { ...told, messages: [returned] };
  return { ...told, messages: [{ role: 'user', content: { type: 'text', text: returned } }] };
}

function isMessages(returned: PromptReturn): returned is readonly PromptMessage[] {
  return Array.isArray(returned);
}

function toDefinition(
  name: string,
  options: PromptOptions<Schema | undefined>,
  args: CompiledSchema | undefined,
): Prompt {
  const { title, description, icons, meta } = options;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons }),
    ...(args !== undefined && { arguments: toArguments(name, args.json) }),
    ...(meta !== undefined && { _meta: meta }),
  };
}

/** Prompt arguments are a flat list on the wire; titles and descriptions come from the schema. */
function toArguments(name: string, json: SchemaObject): readonly PromptArgument[] {
  const { properties, required } = json;
  if (!isObject(properties))
    throw new TypeError(`Prompt "${name}" args: the schema must be an object with properties.`);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([argument, schema]) => {
    const { title, description } = isObject(schema) ? schema : {};
    return {
      name: argument,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      required: needed.has(argument),
    };
  });
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
