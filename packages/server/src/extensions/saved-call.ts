import {
  type ClientCapabilities,
  decodeParams,
  type Implementation,
  type LogLevel,
  logLevels,
  MetaKey,
  type Principal,
  type RequestStamp,
  type Revision,
  type TransportFacts,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { CarriedTexts, IncomingRequest } from '@tenon/mcp-session';

/** A tool call as JSON, so that any process of the server can run its handler: `InterceptedCall.saved()`, `ExtensionHost.run(saved, ports)`. */
export interface SavedCall {
  readonly tool: string;
  /** The neutral params, without answers to input requests. */
  readonly params: UnknownObject;
  /** The id of the revision. */
  readonly revision: string;
  readonly client: {
    readonly info?: Implementation;
    readonly capabilities: ClientCapabilities;
    readonly logLevel?: LogLevel;
  };
  readonly principal?: Principal;
  readonly anonymous?: boolean;
  readonly remoteAddress?: string;
  /** Texts of middleware: `Call.carried`. */
  readonly carried?: CarriedTexts;
}

/** A saved call after its check. */
export interface ReadCall {
  readonly tool: string;
  readonly params: UnknownObject;
  readonly revision: Revision;
  readonly from: RequestStamp;
  readonly facts: TransportFacts;
  readonly carried: CarriedTexts;
}

/** Members of `_meta` that the saved client has, or that belong to one request only. */
const stamped: ReadonlySet<string> = new Set([
  MetaKey.protocolVersion,
  MetaKey.clientCapabilities,
  MetaKey.clientInfo,
  MetaKey.logLevel,
]);

/**
 * Returns a tool call as JSON.
 * @throws TypeError if the claims of the principal are not JSON.
 */
export function saveCall(request: IncomingRequest, tool: string): SavedCall {
  const { inputResponses, requestState, _meta, ...rest } = request.received;
  const { clientCapabilities, clientInfo: info, logLevel } = request.from;
  const { principal, anonymous, remoteAddress } = request.exchange.facts;
  const kept = Object.entries(isObject(_meta) ? _meta : {}).filter(([key]) => !stamped.has(key));
  const params = kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
  const client = { info, capabilities: knownIn(clientCapabilities), logLevel };
  const { id: revision } = request.revision;
  const { carried } = request;
  const saved = { tool, params, revision, client, principal, anonymous, remoteAddress, carried };
  return JSON.parse(JSON.stringify(saved)) as SavedCall;
}

/**
 * Checks a saved call, which a store may have lost or another program changed.
 * @throws TypeError with the member that is wrong.
 */
export function readSavedCall(revisions: readonly Revision[], saved: unknown): ReadCall {
  if (!isObject(saved)) throw malformed('it is not an object');
  const { tool, params, revision: id, client, principal, anonymous, remoteAddress, carried = {} } = saved;
  if (typeof tool !== 'string') throw malformed('"tool" is not a string');
  const revision = revisions.find((one) => one.id === id);
  if (revision === undefined) throw malformed('"revision" is not a revision that this server speaks');
  if (!isObject(params)) throw malformed('"params" is not an object');
  const row = revision.requests.client.get('tools/call');
  const decoded = row && decodeParams(row, withoutStamp(params));
  if (decoded?.ok !== true) throw malformed(`${decoded?.problem ?? '"revision" has no tools'}`);
  if (anonymous !== undefined && typeof anonymous !== 'boolean')
    throw malformed('"anonymous" is not true or false');
  if (remoteAddress !== undefined && !isText(remoteAddress))
    throw malformed('"remoteAddress" is not a string');
  if (!isObject(carried) || !Object.values(carried).every(isText))
    throw malformed('"carried" is not an object of texts');
  return {
    tool,
    params: decoded.value,
    revision,
    from: readClient(client),
    carried: carried as CarriedTexts,
    facts: {
      principal: principal === undefined ? undefined : readPrincipal(principal),
      anonymous,
      remoteAddress,
    },
  };
}

/** Answers and stamps are never saved, so that a store which has some was changed. */
function withoutStamp({ inputResponses, requestState, ...params }: UnknownObject): UnknownObject {
  return params;
}

function readClient(client: unknown): RequestStamp {
  if (!isObject(client) || !isObject(client.capabilities))
    throw malformed('"client.capabilities" is not an object');
  const { capabilities, info, logLevel } = client;
  if (info !== undefined && !(isObject(info) && isText(info.name) && isText(info.version)))
    throw malformed('"client.info" is not an object with a name and a version');
  if (logLevel !== undefined && !logLevels.includes(logLevel as LogLevel))
    throw malformed('"client.logLevel" is not a log level');
  return {
    clientCapabilities: knownIn(capabilities),
    ...(info !== undefined && { clientInfo: info as unknown as Implementation }),
    ...(logLevel !== undefined && { logLevel: logLevel as LogLevel }),
  };
}

const capabilityNames = ['experimental', 'extensions', 'roots', 'sampling', 'elicitation', 'tasks'] as const;

/** Returns the capabilities of the protocol. A client may send others, of any type. */
function knownIn(capabilities: object): ClientCapabilities {
  const known = capabilityNames.map((name) => [name, (capabilities as UnknownObject)[name]] as const);
  return Object.fromEntries(known.filter(([, value]) => isObject(value))) as ClientCapabilities;
}

/** The rules of the members of a principal. Others are not read. */
const principalRules: { readonly [Name in keyof Required<Principal>]: (value: unknown) => boolean } = {
  id: isText,
  issuer: (value) => isOptional(value, isText),
  clientId: (value) => isOptional(value, isText),
  expiresAt: (value) => isOptional(value, (given) => typeof given === 'number'),
  // A text would match a part of a scope.
  scopes: (value) => isOptional(value, (given) => Array.isArray(given) && given.every(isText)),
  claims: (value) => isOptional(value, isObject),
};

function readPrincipal(principal: unknown): Principal {
  if (!isObject(principal)) throw malformed('"principal" is not an object');
  const read: Record<string, unknown> = {};
  for (const [name, allows] of Object.entries(principalRules)) {
    const value = Object.hasOwn(principal, name) ? principal[name] : undefined;
    if (!allows(value)) throw malformed(`"principal.${name}" is malformed`);
    if (value !== undefined) read[name] = value;
  }
  return read as unknown as Principal;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isOptional(value: unknown, allows: (value: unknown) => boolean): boolean {
  return value === undefined || allows(value);
}

function malformed(problem: string): TypeError {
  return new TypeError(
    `The saved call cannot run: ${problem}. It was changed, or another version of the server saved it.`,
  );
}
