import {
  type CallToolParams,
  ErrorCode,
  type PageParams,
  RemoteError,
  RpcError,
  SessionError,
  type Tool,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { hasHeaders, isObject, type ParamHeader, paramHeaderProblem } from '@tenon/mcp-protocol/internal';
import { type IncomingRequest, MissingCapabilityError } from '@tenon/mcp-session';
import { admitted } from '../budget/rates.js';
import { Context } from '../context/context.js';
import { listChanged } from '../core/audience.js';
import { requireScopes } from '../core/call-port.js';
import type { GivenOptions } from '../core/capabilities.js';
import type { ServerFeature } from '../core/feature.js';
import { Registry, unknownEntry, type Visibility } from '../core/registry.js';
import { noteFailure } from '../input/elicitation-complete.js';
import { type EntryParts, List } from '../lists/list.js';
import { checkedMeta } from '../registration/check.js';
import { sensitiveHeader } from '../registration/sensitive.js';
import { failedResult, looseResult, promisedResult, ToolError } from '../results/tool-result.js';
import { isRaised, isSuspension } from '../run/input-promise.js';
import { runHandler } from '../run/live-run.js';
import type { StepJournal } from '../run/once-steps.js';
import { whenSettled } from '../run/run.js';
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
import { checkTool, type ToolOptions } from './tool-options.js';
import type { CallChecker, CheckedCall, Intercept, InterceptRun, ToolRun } from './tool-run.js';

type UntypedHandler = (input: unknown, ctx: Context) => unknown;

interface ToolEntry {
  readonly definition: Tool;
  /** Returns the tool result of the handler's return value. */
  readonly finish: (returned: unknown) => UnknownObject | Promise<UnknownObject>;
  readonly input: CompiledSchema | undefined;
  readonly output: CompiledSchema | undefined;
  readonly handler: UntypedHandler;
  readonly visible: Visibility | undefined;
  readonly scopes: readonly string[] | undefined;
  /** Milliseconds for which the handler may run; undefined for the server's limit. */
  readonly timeout: number | undefined;
  /** Parameters that HTTP headers repeat; undefined if there are none. */
  readonly headers: readonly ParamHeader[] | undefined;
  /** Values of the options of extensions, by name. */
  readonly added: Readonly<UnknownObject>;
}

/** A call with valid arguments, and the values of steps that its attempts share. */
interface AdmittedCall {
  readonly input: unknown;
  readonly request: IncomingRequest;
  readonly steps?: StepJournal | undefined;
}

const noOptions: GivenOptions = Object.freeze({
  values: Object.freeze({}),
  meta: undefined,
  entry: undefined,
});
const noArguments: UnknownObject = Object.freeze({});
const takesNothing: Tool['inputSchema'] = Object.freeze({ type: 'object', additionalProperties: false });

/** The parts of a server that only tools use. */
export interface ToolParts {
  /** Undefined if no extension intercepts. */
  readonly intercept: Intercept | undefined;
  /** Undefined if no extension intercepts runs. */
  readonly interceptRun: InterceptRun | undefined;
  /** Returns the text of an internal error for callers; undefined if errors are hidden. */
  readonly exposed: ((thrown: unknown) => string | undefined) | undefined;
}

/** The tools of one server. */
export class Tools implements CallChecker {
  readonly #parts: EntryParts;
  readonly #intercept: Intercept | undefined;
  readonly #interceptRun: InterceptRun | undefined;
  readonly #exposed: ToolParts['exposed'];
  readonly #registry: Registry<ToolEntry>;
  readonly #list: List<Tool>;

  constructor(parts: EntryParts, { intercept, interceptRun, exposed }: ToolParts) {
    this.#parts = parts;
    this.#intercept = intercept;
    this.#interceptRun = interceptRun;
    this.#exposed = exposed;
    this.#registry = new Registry('tool', parts.serverGuard, (entry) =>
      parts.audience.entryChanged({ method: listChanged.tools }, entry),
    );
    const key = (tool: Tool) => tool.name;
    this.#list = new List(parts, { registry: this.#registry, member: 'tools', key });
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
          handle: this.#call,
          failed: noteFailure,
          failure: failedResult,
          subject: ({ params }) => `Tool ${String(params.name).slice(0, 128)}`,
        },
      },
    };
  }

  /** @throws TypeError or RangeError if the name, a schema or another option is invalid. */
  add(name: string, options: ToolOptions, handler: UntypedHandler): void {
    const { extensions, validator, limits: bounds, onError } = this.#parts.context;
    checkTool(name, { options, handler, added: extensions?.toolRules(name) });
    const given = extensions?.toolOptions(name, options) ?? noOptions;
    const { input, output, visible, scopes, timeout } = options;
    const compile = (schema: Schema | undefined, direction: 'input' | 'output') =>
      compileSchema(schema, { owner: `tool "${name}" ${direction}`, direction, validator, bounds });
    const compiledInput = compile(input, 'input');
    const compiledOutput = compile(output, 'output');
    const described =
      given.meta === undefined ? options : { ...options, meta: { ...given.meta, ...options.meta } };
    const schemas = { input: compiledInput, output: compiledOutput };
    const definition = { ...toDefinition(name, described, schemas), ...given.entry };
    const found = readParamHeaders(definition.inputSchema, `Tool "${name}"`);
    const headers = found.length === 0 ? undefined : found;
    const doubt = sensitiveHeader(found);
    this.#parts.features.use('tools');
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
    if (doubt !== undefined) onError(new TypeError(`Tool "${name}": ${doubt}.`), 'tool');
    if (timeout !== undefined) this.#parts.deadlines.expect(timeout);
  }

  /** True for a call of a tool that may run again without further effect. */
  isRepeatable(message: unknown): boolean {
    if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return false;
    const tool = this.#registry.get(String(message.params.name));
    return tool !== undefined && mayRepeat(tool.definition);
  }

  remove(name: string): boolean {
    return this.#registry.remove(name) !== undefined;
  }

  /** Compiles every schema that is not yet compiled. */
  async prepare(): Promise<void> {
    for (const tool of this.#registry.all()) {
      await tool.input?.prepare();
      await tool.output?.prepare();
    }
  }

  readonly #call = (request: IncomingRequest, isAdmitted?: true): UnknownObject | Promise<UnknownObject> => {
    const admission = isAdmitted ? undefined : this.#parts.rates.calls?.admit(request);
    if (admission !== undefined) return admitted(admission, request, () => this.#call(request, true));
    const { name, arguments: input = noArguments } = request.params as unknown as CallToolParams;
    const tool = this.#toolOf(request, name);
    if (tool.timeout !== undefined) request.patience = tool.timeout;
    if (tool.headers !== undefined) requireRepeated(tool.headers, input, request);
    const checked = tool.input === undefined ? noneOf(input) : tool.input.validate(input);
    return checked instanceof Promise
      ? checked.then((outcome) => this.#handle(tool, outcome, request))
      : this.#handle(tool, checked, request);
  };

  /** @throws RpcError if the caller does not see the tool or lacks a scope. */
  #toolOf(request: IncomingRequest, name: string): ToolEntry {
    const { principal } = request;
    const tool = this.#registry.find(name, principal);
    if (tool === undefined) throw unknownEntry(this.#registry, name, principal);
    if (tool.scopes !== undefined) requireScopes(request, tool.scopes);
    return tool;
  }

  #handle(
    tool: ToolEntry,
    outcome: Outcome,
    request: IncomingRequest,
  ): UnknownObject | Promise<UnknownObject> {
    if (!outcome.ok) return this.#refuse(tool, outcome, request);
    const input = outcome.value;
    if (this.#interceptRun === undefined) return this.#run(tool, { input, request });
    return this.#interceptRun({ tool: tool.definition, request }, (steps) =>
      this.#run(tool, { input, request, steps }),
    );
  }

  #refuse(tool: ToolEntry, outcome: Outcome & { ok: false }, request: IncomingRequest): UnknownObject {
    const message = `Invalid arguments for tool ${tool.definition.name}: ${describeIssues(outcome.issues)}`;
    if (request.revision.rules.badToolInput === 'tool-error') return failedResult(message);
    throw new RpcError(ErrorCode.invalidParams, message);
  }

  #run(tool: ToolEntry, { input, request, steps }: AdmittedCall): UnknownObject | Promise<UnknownObject> {
    const { runs, context } = this.#parts;
    const intercept = this.#intercept;
    try {
      const returned = runHandler(runs, { request, steps }, (run) => {
        const ctx = new Context(context, request, run);
        if (intercept === undefined) return whenSettled(tool.handler(input, ctx), tool.finish);
        const settle: ToolRun = (inner, of) =>
          this.#settle(tool, { input, request: of === 'request' && request }, inner);
        const { name } = tool.definition;
        return intercept(
          { name, input, request, history: run.history, options: tool.added, run: settle },
          ctx,
        );
      });
      return returned instanceof Promise
        ? returned.catch((error: unknown) => this.#failed(tool, error, request))
        : returned;
    } catch (error) {
      return this.#failed(tool, error, request);
    }
  }

  async check(request: IncomingRequest): Promise<CheckedCall> {
    const { name, arguments: input = noArguments } = request.params as unknown as CallToolParams;
    const tool = this.#toolOf(request, name);
    const outcome = tool.input === undefined ? noneOf(input) : await tool.input.validate(input);
    const run: ToolRun = outcome.ok
      ? (ctx) => this.#settle(tool, { input: outcome.value, request: false }, ctx)
      : async () => this.#refuse(tool, outcome, request);
    return { name, run };
  }

  /**
   * Runs a tool's handler; its failures are results.
   * @param request - false for a handler that is detached from its request.
   */
  async #settle(
    tool: ToolEntry,
    { input, request }: { readonly input: unknown; readonly request: IncomingRequest | false },
    ctx: Context,
  ): Promise<UnknownObject> {
    try {
      return await whenSettled(tool.handler(input, ctx), tool.finish);
    } catch (error) {
      return this.#failed(tool, error, request || stoppedWith(ctx.signal));
    }
  }

  #broken(name: string, issues: readonly Issue[]): UnknownObject {
    const detail = `Tool "${name}" returned output that breaks its own schema: ${describeIssues(issues)}`;
    this.#parts.context.onError(new TypeError(detail), 'tools/call');
    return failedResult(`Tool ${name} failed: its output does not have the promised shape.`);
  }

  #failed(
    tool: ToolEntry,
    error: unknown,
    request: Pick<IncomingRequest, 'cancelled' | 'stoppedBy'>,
  ): UnknownObject {
    // An error of a cancelled handler is not a failure of the tool.
    if (request.cancelled || error instanceof RpcError || isSuspension(error)) throw error;
    if (error instanceof ToolError) return failedResult(error.message);
    const stopped = request.stoppedBy(error);
    if (stopped !== undefined) return failedResult(stopped.message);
    if (error instanceof MissingCapabilityError) throw error;
    // Only of input requests: the errors of a client for another server must not reach the caller.
    if (error instanceof SessionError && isRaised(error)) {
      if (error.reason === 'limit') this.#parts.context.onError(error, `tool ${tool.definition.name}`);
      return failedResult(error.message);
    }
    if (error instanceof RemoteError && isRaised(error))
      return failedResult(`The client did not answer ${error.message.slice(0, longestRefusal)}`);
    this.#parts.context.onError(error, `tool ${tool.definition.name}`);
    const { name } = tool.definition;
    const shown = this.#exposed?.(error);
    return failedResult(
      shown === undefined
        ? `The tool "${name}" failed. (Authors: throw ToolError to tell the model why, or set exposeErrors.)`
        : `The tool "${name}" failed: ${shown}`,
    );
  }
}

function mayRepeat({ annotations }: Tool): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}

/** Replaces the request for a handler that runs detached from it: its signal aborts when nothing needs the result. */
function stoppedWith({ aborted }: AbortSignal): Pick<IncomingRequest, 'cancelled' | 'stoppedBy'> {
  return { cancelled: aborted, stoppedBy: () => undefined };
}

/** The outcome of the arguments for a tool without a schema of its input. */
function noneOf(input: UnknownObject): Outcome {
  const [extra] = Object.keys(input);
  return extra === undefined
    ? { ok: true, value: input }
    : { ok: false, issues: [issue([extra], 'this tool takes no arguments')] };
}

/** Characters of the client's own error that a tool result repeats. */
const longestRefusal = 300;

/** @throws RpcError if the headers of the request do not repeat its params as they must. */
function requireRepeated(
  headers: readonly ParamHeader[],
  input: UnknownObject,
  request: IncomingRequest,
): void {
  const { facts } = request.exchange;
  if (!hasHeaders(facts) || !request.revision.rules.mirroredHeaders) return;
  const problem = paramHeaderProblem(headers, input, facts);
  if (problem !== undefined) throw new RpcError(ErrorCode.headerMismatch, problem);
}

function toDefinition(
  name: string,
  options: ToolOptions,
  schemas: Pick<ToolEntry, 'input' | 'output'>,
): Tool {
  const { title, description, annotations, icons, meta } = options;
  const { input, output } = schemas;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons }),
    inputSchema: input?.json ?? takesNothing,
    ...(output !== undefined && { outputSchema: output.json }),
    ...(annotations !== undefined && { annotations }),
    ...checkedMeta(`Tool "${name}"`, meta),
  };
}
