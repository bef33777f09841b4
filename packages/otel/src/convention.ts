/**
 * The names of the semantic convention for MCP, `model/mcp` of open-telemetry/semantic-conventions-genai, which is in development. The
 * versions that were read: spans 5c50d34, metrics 14567fa, common 0e5e6a8. Where they differ, common holds. No release has a schema URL.
 */
export const convention = {
  method: 'mcp.method.name',
  revision: 'mcp.protocol.version',
  session: 'mcp.session.id',
  resourceUri: 'mcp.resource.uri',
  requestId: 'jsonrpc.request.id',
  statusCode: 'rpc.response.status_code',
  errorType: 'error.type',
  operation: 'gen_ai.operation.name',
  tool: 'gen_ai.tool.name',
  prompt: 'gen_ai.prompt.name',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  /** Followed by the name of the variable. */
  promptVariable: 'gen_ai.prompt.variable.',
  transport: 'network.transport',
  protocol: 'network.protocol.name',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  clientAddress: 'client.address',
} as const;

/** The value of `gen_ai.operation.name` of tool calls. */
export const executeTool = 'execute_tool';

/** The value of `error.type` for a result that describes an error. */
export const toolError = 'tool_error';

/** The value of `error.type` where no other is known. */
export const otherError = '_OTHER';

/** The codes that are no error of a server: its client is wrong. For a client every code is an error. */
export const errorsOfClients: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, -32_002]);

/** Names of attributes that the convention does not have. */
export const own = {
  /** The type of a result that does not end its call, such as `input_required` or `task`. */
  resultType: 'dev.tenon.mcp.result.type',
  /** The relation of a linked span: `ambient`, `first_round` or `call`. */
  link: 'dev.tenon.mcp.link',
} as const;

/** The name of the span of a handler that works detached from its request; the tool's name follows. */
export const workOfTask = 'task';

export const metric = {
  clientOperation: 'mcp.client.operation.duration',
  serverOperation: 'mcp.server.operation.duration',
  clientSession: 'mcp.client.session.duration',
  serverSession: 'mcp.server.session.duration',
} as const;

/** Seconds. */
export const buckets: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Attributes of spans that may be labels of a metric: none has an id, a text of a user or an address of a client. */
export const labels: ReadonlySet<string> = new Set([
  convention.method,
  convention.revision,
  convention.statusCode,
  convention.errorType,
  convention.operation,
  convention.tool,
  convention.prompt,
  convention.transport,
  convention.protocol,
  convention.serverAddress,
  convention.serverPort,
]);
