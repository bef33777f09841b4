import type { Attributes } from '@opentelemetry/api';
import { isRecord } from '@tenon/foundation';
import { RemoteError, RpcError, SessionError, type UnknownObject } from '@tenon/mcp-protocol';
import { convention, errorsOfClients, executeTool, otherError, own, toolError } from './convention.js';
import type { CapturedContents } from './options.js';

/** Characters of the name of a tool or prompt: callers choose it. */
const longestName = 128;

/** The name of a request's span, and its attributes that follow from the params. */
export interface Subject {
  readonly name: string;
  readonly attributes: Attributes;
}

/** Returns the subject of a request. */
export function subjectOf(method: string, params: UnknownObject, capture: CapturedContents): Subject {
  const attributes: Attributes = { [convention.method]: method };
  const { name: given, uri, arguments: values } = params;
  const name = typeof given === 'string' ? given.slice(0, longestName) : undefined;
  if (capture.resourceUris === true && method.startsWith('resources/') && typeof uri === 'string')
    attributes[convention.resourceUri] = uri;
  if (name === undefined) return { name: method, attributes };
  if (method === 'tools/call') {
    attributes[convention.tool] = name;
    attributes[convention.operation] = executeTool;
    if (capture.arguments === true) attributes[convention.toolArguments] = JSON.stringify(values ?? {});
  } else if (method === 'prompts/get') {
    attributes[convention.prompt] = name;
    if (capture.promptVariables === true && isRecord(values))
      for (const [key, value] of Object.entries(values))
        attributes[`${convention.promptVariable}${key}`] = String(value);
  } else return { name: method, attributes };
  return { name: `${method} ${name}`, attributes };
}

/** Returns the attributes of a transport, by its name in Tenon. */
export function networkOf(transport: string | undefined): Attributes {
  if (transport === 'http' || transport === 'sse')
    return { [convention.transport]: 'tcp', [convention.protocol]: 'http' };
  return transport === 'stdio' ? { [convention.transport]: 'pipe' } : {};
}

/** Returns the attributes of a server at an address; none if it is not a URL. */
export function addressOf(endpoint: string | undefined): Attributes {
  if (endpoint === undefined || !URL.canParse(endpoint)) return {};
  const { hostname, port, protocol } = new URL(endpoint);
  if (hostname === '') return {};
  const usual = protocol === 'https:' ? 443 : 80;
  return {
    [convention.serverAddress]: hostname.replace(/^\[|\]$/g, ''),
    [convention.serverPort]: port === '' ? usual : Number(port),
  };
}

/** The end of a request. */
export interface Outcome {
  readonly attributes: Attributes;
  readonly isError: boolean;
  /** The message of the JSON-RPC error. */
  readonly message?: string;
}

/** Returns the outcome of a request that has a result. */
export function outcomeOf({ isError, resultType }: UnknownObject): Outcome {
  const attributes: Attributes = {};
  if (typeof resultType === 'string' && resultType !== 'complete') attributes[own.resultType] = resultType;
  if (isError !== true) return { attributes, isError: false };
  return { attributes: { ...attributes, [convention.errorType]: toolError }, isError: true };
}

/**
 * Returns the outcome of a request that failed.
 * @param isReceiver - true at the end that answers the request: its own errors are sent as "Internal error".
 */
export function failureOf(error: unknown, isReceiver: boolean): Outcome {
  const isRpc = error instanceof RpcError || (!isReceiver && error instanceof RemoteError);
  if (isRpc) return answered(error.code, error.message, isReceiver);
  if (isReceiver) return answered(-32_603, 'Internal error', true);
  return { attributes: { [convention.errorType]: typeOf(error) }, isError: true };
}

/** Returns the outcome of a request that was cancelled by its sender, or stopped at a limit. */
export function stoppedBy(reason: unknown): Outcome {
  return { attributes: { [convention.errorType]: typeOf(reason) }, isError: true };
}

/** Returns the class of an error that no answer has. */
export function typeOf(error: unknown): string {
  if (error instanceof SessionError) return error.reason;
  return error instanceof Error ? error.name : otherError;
}

function answered(code: number, message: string, isReceiver: boolean): Outcome {
  const isError = !isReceiver || !errorsOfClients.has(code);
  const text = String(code);
  return {
    attributes: { [convention.statusCode]: text, ...(isError && { [convention.errorType]: text }) },
    isError,
    message,
  };
}
