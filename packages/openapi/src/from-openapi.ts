import { constantsOf } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import { AuthError, type SafeHttp, type SafeResponse, safeHttp } from '@tenon/mcp-auth/server';
import { type CallToolResult, type Context, ToolError, type ToolOptions } from '@tenon/mcp-server';
import { type Check, interpreter } from '@tenon/mcp-server/interpreter';
import { answerOf } from './answer/answer.js';
import { type OpenApiDocument, readDocument } from './document/document.js';
import {
  type FoundOperation,
  type OpenApiOperation,
  operationsOf,
  type SkippedOperation,
} from './document/operations.js';
import { Unsupported } from './document/references.js';
import {
  filterOf,
  type OpenApiOptions,
  requestBounds,
  requireOpenApiOptions,
  resultCharacters,
} from './options.js';
import { type ApiRequest, type RequestPlan, requestOf, withCredentials } from './request/request.js';
import { credentialsOf, type Requirement, securedPlaces, securityOf } from './request/security.js';
import { baseOf, chosenBase } from './servers.js';
import { toolNames, type UniqueNames } from './tools/argument-names.js';
import { inputOf } from './tools/input.js';
import { acceptedTypes, outputOf } from './tools/output.js';
import { annotationsOf, descriptionOf } from './tools/texts-of-tool.js';

/** A tool that calls an operation, with the arguments of `server.tool`. */
export interface OpenApiTool {
  readonly name: string;
  readonly options: ToolOptions;
  readonly handler: (input: unknown, ctx: Context) => Promise<CallToolResult>;
  readonly operation: OpenApiOperation;
}

/** Registers tools: a server, or the registrar of an extension. */
export interface ToolRegistrar {
  tool(name: string, options: never, handler: never): unknown;
}

/** The tools of a document. */
export interface OpenApiTools {
  /** The title of the API. */
  readonly title: string;
  readonly tools: readonly OpenApiTool[];
  /** The operations without a tool, with the reasons. Those that `include` leaves out are not among them. */
  readonly skipped: readonly SkippedOperation[];
  /** Registers all tools. @throws TypeError if the server has a tool of one of the names. */
  register(entries: ToolRegistrar): void;
}

/** Tools of one document. */
const mostTools = 2_000;

/**
 * Makes tools of the operations of an OpenAPI document: `fromOpenApi(document, { baseUrl }).register(server)`.
 * @param document - the document as an object, or its text in JSON or YAML. Files that it refers to must be bundled into it.
 * @throws TypeError or RangeError if the document or an option is invalid, or neither `baseUrl` nor `documentServers` is given.
 * @see https://spec.openapis.org/oas/v3.2.0
 */
export function fromOpenApi(document: string | object, options: OpenApiOptions = {}): OpenApiTools {
  requireOpenApiOptions(options);
  const read = readDocument(document);
  const base = chosenBase(read, options);
  const { found, skipped } = operationsOf(read);
  const builder = new ToolBuilder(read, options, base);
  const isIncluded = filterOf(options.include);
  const tools: OpenApiTool[] = [];
  const left: SkippedOperation[] = [...skipped];
  for (const operation of found.filter(isIncluded)) {
    if (tools.length >= mostTools)
      throw new RangeError(
        `fromOpenApi: the document has more than ${mostTools} operations; choose some with include.`,
      );
    const built = builder.build(operation);
    if (typeof built !== 'string') tools.push(built);
    else left.push({ method: operation.method, path: operation.path, reason: built });
  }
  return {
    title: read.title,
    tools,
    skipped: left,
    register(entries) {
      for (const { name, options: tool, handler } of tools)
        entries.tool(name, tool as never, handler as never);
    },
  };
}

/** Makes the tools of one document, which share connections. */
class ToolBuilder {
  readonly #document: OpenApiDocument;
  readonly #options: OpenApiOptions;
  readonly #base: URL | undefined;
  readonly #names: UniqueNames = toolNames();
  readonly #http: SafeHttp;

  constructor(document: OpenApiDocument, options: OpenApiOptions, base: URL | undefined) {
    this.#document = document;
    this.#options = options;
    this.#base = base;
    const { answerBytes, requestTime } = constantsOf(requestBounds, options);
    this.#http = safeHttp({
      server: base,
      allow: options.allow,
      fetch: options.fetch,
      bytes: answerBytes,
      timeout: requestTime,
    });
  }

  /** Returns the tool of an operation, or the reason that there is none. */
  build(found: FoundOperation): OpenApiTool | string {
    if (found.deprecated && this.#options.deprecated !== true) return 'it is deprecated';
    try {
      return this.#tool(found);
    } catch (error) {
      if (error instanceof Unsupported) return error.message;
      throw error;
    }
  }

  #tool(found: FoundOperation): OpenApiTool {
    const { method, path, operationId, tags, summary, deprecated, operation } = found;
    const document = this.#document;
    const { documentServers = false, rename } = this.#options;
    const base = baseOf(document, found, { base: this.#base, documentServers });
    const security = securityOf(document, operation);
    const { schema: input, plan } = inputOf(document, found, securedPlaces(security));
    const output = outputOf(document, operation);
    const about: OpenApiOperation = { method, path, operationId, tags, summary, deprecated };
    const fallback = `${method.toLowerCase()} ${path}`;
    const name = this.#names.take(rename?.(about) ?? operationId ?? fallback, method.toLowerCase());
    const call = this.#caller({ base, security, plan, output, accept: acceptedTypes(document, operation) });
    return {
      name,
      operation: about,
      options: {
        ...(summary !== undefined && { title: summary }),
        description: descriptionOf(found, plan.parameters),
        input,
        ...(output !== undefined && { output }),
        annotations: annotationsOf(method),
      },
      handler: call,
    };
  }

  #caller({ base, security, plan, output, accept }: Calling): OpenApiTool['handler'] {
    const { headers = {}, auth, resultCharacters: characters = resultCharacters } = this.#options;
    const fixed = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const queryArguments = new Map(
      plan.parameters.flatMap(({ in: place, name, argument }) =>
        place === 'query' ? [[name, argument] as const] : [],
      ),
    );
    let check: Check | undefined;
    return async (input, ctx) => {
      const request = requestOf(plan, input as UnknownObject, base);
      const { credentials, secrets } = await credentialsOf(security, auth, ctx);
      const whole = withCredentials(
        { ...request, headers: { accept, ...request.headers, ...fixed } },
        credentials,
      );
      const response = await this.#send(whole, ctx.signal);
      if (output !== undefined)
        check ??= interpreter().compile(output, { dialect: '2020-12', mostIssues: 1 });
      return answerOf(whole, response, { characters, check, queryArguments, secrets });
    };
  }

  async #send(request: ApiRequest, signal: AbortSignal): Promise<SafeResponse> {
    try {
      return await this.#http.send({ ...request, signal });
    } catch (error) {
      // The addresses that are not permitted are for the author alone.
      if (signal.aborted || !(error instanceof AuthError) || error.reason !== 'unreachable') throw error;
      const again =
        request.method === 'GET'
          ? 'Call again later.'
          : 'Find out first whether the request was carried out.';
      throw new ToolError(`${error.message} ${again}`, { cause: error });
    }
  }
}

interface Calling {
  readonly base: URL;
  readonly security: readonly Requirement[];
  readonly plan: RequestPlan;
  readonly output: UnknownObject | undefined;
  readonly accept: string;
}
