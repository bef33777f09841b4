import {
  type CallToolParams,
  ErrorCode,
  type Meta,
  type PageParams,
  type Principal,
  RemoteError,
  RpcError,
  SessionError,
  type Tool,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { hasHeaders, type ParamHeader, paramHeaderFlaw } from '@tenon/mcp-protocol/internal';
import { type IncomingRequest, MissingCapabilityError } from '@tenon/mcp-session';
import { isRaised } from '../asking/raised.js';
import { isSuspension } from '../asking/suspension.js';
import type { Context } from '../context.js';
import { checkedMeta, type Definition, listChanged } from '../definition.js';
import type { ServerExtension } from '../extensions/extension.js';
import type { ToolOption } from '../extensions/offered.js';
import { intercepted } from '../extensions/tool-calls.js';
import type { ServerFeature } from '../feature.js';
import { runHandler, whenSettled } from '../handling.js';
import { List } from '../list.js';
import { sensitiveHeader } from '../registration/sensitive.js';
import { Registry, type Visibility } from '../registry.js';
import { requireScopes } from '../required-scopes.js';
import { issue } from '../schemas/issues.js';
import { readParamHeaders } from '../schemas/param-headers.js';
import {
  type CompiledSchema,
  compileSchema,
  describeIssues,
  type Issue,
  type Outcome,
  type Schema,
} from '../schemas/schema.js';
import { ToolError } from '../tool-error.js';
import { failedResult, looseResult, promisedResult } from '../tool-result.js';
import { noteFailure } from './elicitation-complete.js';
import { checkTool, requireOwnOptions, type ToolOptions } from './tool-options.js';

type ToolHandler = (input: unknown, ctx: Context) => unknown;

interface ToolEntry {
  readonly definition: Tool;
  /** Makes a result of what the handler returned. */
  readonly finish: (returned: unknown) => UnknownObject | Promise<UnknownObject>;
  readonly input: CompiledSchema | undefined;
  readonly output: CompiledSchema | undefined;
  readonly handler: ToolHandler;
  readonly visible: Visibility | undefined;
  readonly scopes: readonly string[] | undefined;
  /** Milliseconds the handler may work; undefined for as long as any. */
  readonly timeout: number | undefined;
  /** Parameters that HTTP headers repeat; undefined where there are none. */
  readonly headers: readonly ParamHeader[] | undefined;
  /** Values of the options of extensions, by name. */
  readonly added: Readonly<UnknownObject>;
}

const noArguments: UnknownObject = Object.freeze({});
const takesNothing: Tool['inputSchema'] = Object.freeze({ type: 'object', additionalProperties: false });

/** The tools of one server. */
export class Tools {
  readonly #definition: Definition;
  readonly #interceptors: readonly ServerExtension[];
  readonly #registry: Registry<ToolEntry>;
  readonly #list: List<Tool>;

  /** @param extensions - those that intercept take part in each call, the first outermost. */
  constructor(definition: Definition, extensions: readonly ServerExtension[]) {
    this.#definition = definition;
    requireOwnOptions(definition.extensions.toolOptions);
    this.#interceptors = extensions.filter((one) => one.interceptToolCall !== undefined);
    this.#registry = new Registry('tool', (entry) =>
      definition.audience.entryChanged({ method: listChanged.tools }, entry),
    );
    const key = (tool: Tool) => tool.name;
    this.#list = new List(definition, { registry: this.#registry, member: 'tools', key });
  }

  /** Lists and calls tools; installed with the first tool. */
  get feature(): ServerFeature {
    return {
      name: 'tools',
      whenUsed: true,
      capabilities: { tools: { listChanged: true } },
      methods: {
        'tools/list': {
          reusesResults: true,
          handle: (request) => this.#list.get((request.params as PageParams).cursor, request.principal),
        },
        'tools/call': {
          handle: (request) => this.#call(request),
          failed: noteFailure,
          failure: failedResult,
          subject: ({ params }) => `Tool ${String(params.name).slice(0, 128)}`,
        },
      },
    };
  }

  /** @throws TypeError or RangeError when the name, a schema or another option is not allowed. */
  add(
    name: string,
    options: ToolOptions<Schema | undefined, Schema | undefined>,
    handler: ToolHandler,
  ): void {
    const added = this.#definition.extensions.toolOptions;
    checkTool(name, { options, handler, added });
    const given = optionsOf(name, options, added);
    const { input, output, visible, scopes, timeout } = options;
    const { validator, limits: bounds } = this.#definition;
    const compiledInput =
      input === undefined
        ? undefined
        : compileSchema(input, { owner: `tool "${name}" input`, direction: 'input', validator, bounds });
    const compiledOutput =
      output === undefined
        ? undefined
        : compileSchema(output, { owner: `tool "${name}" output`, direction: 'output', validator, bounds });
    const described =
      given.meta === undefined ? options : { ...options, meta: { ...given.meta, ...options.meta } };
    const definition = toDefinition(name, described, { input: compiledInput, output: compiledOutput });
    const found = readParamHeaders(definition.inputSchema, `Tool "${name}"`);
    const headers = found.length === 0 ? undefined : found;
    const doubt = sensitiveHeader(found);
    this.#definition.features.use('tools');
    const finish =
      compiledOutput === undefined
        ? looseResult
        : (returned: unknown) =>
            promisedResult(returned, compiledOutput, (issues) => this.#broken(name, issues));
    const entry = {
      definition,
      input: compiledInput,
      output: compiledOutput,
      handler,
      finish,
      visible,
      scopes,
      timeout,
      headers,
      added: given.values,
    };
    this.#registry.add(name, entry);
    if (doubt !== undefined) this.#definition.onError(new TypeError(`Tool "${name}": ${doubt}.`), 'tool');
    if (timeout !== undefined) this.#definition.handling.deadlines.expect(timeout);
  }

  remove(name: string): boolean {
    return this.#registry.remove(name) !== undefined;
  }

  /** Compiles every schema that is not yet. */
  async prepare(): Promise<void> {
    for (const tool of this.#registry.all()) {
      await tool.input?.prepare();
      await tool.output?.prepare();
    }
  }

  #call(request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    this.#definition.rates.calls?.admit(request);
    const params = request.params as unknown as CallToolParams;
    const tool = this.#find(params.name, request.principal);
    if (tool.scopes !== undefined) requireScopes(request, tool.scopes);
    if (tool.timeout !== undefined) request.patience = tool.timeout;
    const input = params.arguments ?? noArguments;
    if (tool.headers !== undefined) requireRepeated(tool.headers, input, request);
    if (tool.input === undefined) {
      const [extra] = Object.keys(input);
      return extra === undefined
        ? this.#run(tool, input, request)
        : this.#refuse(
            tool,
            { ok: false, issues: [issue([extra], 'this tool takes no arguments')] },
            request,
          );
    }
    const checked = tool.input.validate(input);
    return checked instanceof Promise
      ? checked.then((outcome) => this.#admit(tool, outcome, request))
      : this.#admit(tool, checked, request);
  }

  #find(name: string, principal: Principal | undefined): ToolEntry {
    const tool = this.#registry.find(name, principal);
    if (tool === undefined)
      throw new RpcError(ErrorCode.invalidParams, `Unknown tool: ${name.slice(0, 128)}`);
    return tool;
  }

  #admit(
    tool: ToolEntry,
    outcome: Outcome,
    request: IncomingRequest,
  ): UnknownObject | Promise<UnknownObject> {
    return outcome.ok ? this.#run(tool, outcome.value, request) : this.#refuse(tool, outcome, request);
  }

  #refuse(tool: ToolEntry, outcome: Outcome & { ok: false }, request: IncomingRequest): UnknownObject {
    const message = `Invalid arguments for tool ${tool.definition.name}: ${describeIssues(outcome.issues)}`;
    if (request.revision.rules.badToolInput === 'tool-error') return failedResult(message);
    throw new RpcError(ErrorCode.invalidParams, message);
  }

  #run(tool: ToolEntry, input: unknown, request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    if (this.#interceptors.length > 0) return this.#runIntercepted(tool, input, request);
    try {
      const returned = runHandler(this.#definition, request, (ctx) =>
        whenSettled(tool.handler(input, ctx), tool.finish),
      );
      return returned instanceof Promise
        ? returned.catch((error: unknown) => this.#failed(tool, error, request))
        : returned;
    } catch (error) {
      return this.#failed(tool, error, request);
    }
  }

  async #runIntercepted(tool: ToolEntry, input: unknown, request: IncomingRequest): Promise<UnknownObject> {
    const run = async (ctx: Context, of: 'request' | 'detached') => {
      try {
        return await whenSettled(tool.handler(input, ctx), tool.finish);
      } catch (error) {
        return this.#failed(tool, error, of === 'request' ? request : unstoppable);
      }
    };
    const { name } = tool.definition;
    try {
      return await runHandler(this.#definition, request, (ctx) =>
        intercepted(
          this.#definition,
          { name, input, request, interceptors: this.#interceptors, options: tool.added, run },
          ctx,
        ),
      );
    } catch (error) {
      return this.#failed(tool, error, request);
    }
  }

  #broken(name: string, issues: readonly Issue[]): UnknownObject {
    const detail = `Tool "${name}" returned output that breaks its own schema: ${describeIssues(issues)}`;
    this.#definition.onError(new TypeError(detail), 'tools/call');
    return failedResult(`Tool ${name} failed: its output does not have the promised shape.`);
  }

  #failed(
    tool: ToolEntry,
    error: unknown,
    request: Pick<IncomingRequest, 'cancelled' | 'stoppedBy'>,
  ): UnknownObject {
    // What a handler throws because nobody waits for it is no failure of the tool.
    if (request.cancelled || error instanceof RpcError || isSuspension(error)) throw error;
    if (error instanceof ToolError) return failedResult(error.message);
    const stopped = request.stoppedBy(error);
    if (stopped !== undefined) return failedResult(stopped.message);
    if (error instanceof MissingCapabilityError) throw error;
    // Of input requests alone: what a client of another server fails with is none of the caller's business.
    if (error instanceof SessionError && isRaised(error)) {
      if (error.reason === 'limit') this.#definition.onError(error, `tool ${tool.definition.name}`);
      return failedResult(error.message);
    }
    if (error instanceof RemoteError && isRaised(error))
      return failedResult(`The client did not answer ${error.message.slice(0, longestRefusal)}`);
    this.#definition.onError(error, `tool ${tool.definition.name}`);
    const { name } = tool.definition;
    const shown = this.#definition.exposed?.(error);
    return failedResult(
      shown === undefined
        ? `The tool "${name}" failed. (Authors: throw ToolError to tell the model why, or set exposeErrors.)`
        : `The tool "${name}" failed: ${shown}`,
    );
  }
}

/** In place of the request, for a handler that runs detached from it. */
const unstoppable: Pick<IncomingRequest, 'cancelled' | 'stoppedBy'> = {
  cancelled: false,
  stoppedBy: () => undefined,
};

/** The options of extensions that a tool was registered with, and the metadata that follow from them. */
function optionsOf(
  name: string,
  options: object,
  added: ReadonlyMap<string, ToolOption>,
): { readonly values: UnknownObject; readonly meta: Meta | undefined } {
  const values: Record<string, unknown> = {};
  let meta: Meta | undefined;
  for (const [option, { meta: metaOf }] of added) {
    const value = (options as UnknownObject)[option];
    if (value === undefined) continue;
    values[option] = value;
    meta = { ...meta, ...metaOf?.(value, { name }) };
  }
  return { values, meta };
}

/** Characters of the client's own error that a tool result repeats. */
const longestRefusal = 300;

/** @throws RpcError when the headers of the request do not repeat its params, where they should. */
function requireRepeated(
  headers: readonly ParamHeader[],
  input: UnknownObject,
  request: IncomingRequest,
): void {
  const { facts } = request.exchange;
  if (!hasHeaders(facts) || !request.revision.rules.mirroredHeaders) return;
  const flaw = paramHeaderFlaw(headers, input, facts);
  if (flaw !== undefined) throw new RpcError(ErrorCode.headerMismatch, flaw);
}

function toDefinition(
  name: string,
  options: ToolOptions<Schema | undefined, Schema | undefined>,
  schemas: Pick<ToolEntry, 'input' | 'output'>,
): Tool {
  const { title, description, annotations, icons, taskSupport, meta } = options;
  const { input, output } = schemas;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons }),
    inputSchema: input?.json ?? takesNothing,
    ...(output !== undefined && { outputSchema: output.json }),
    ...(annotations !== undefined && { annotations }),
    ...(taskSupport !== undefined && { execution: { taskSupport } }),
    ...checkedMeta(`Tool "${name}"`, meta),
  };
}
