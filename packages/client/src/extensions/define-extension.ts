import { listOf, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import {
  type CustomNotification,
  extensionIdProblem,
  type Method,
  type ReceivedParams,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { BoundExtensionClient } from './bound-extension-client.js';
import { ClientExtensions } from './client-extensions.js';
import type {
  ClientContributions,
  ExtensionClient,
  HandledNotification,
  ServedHandler,
  ServedMethod,
} from './extension.js';
import { extensionFeature } from './extension-feature.js';
import { type ClientExtension, type Install, installation } from './installation.js';
import { callPreparation, inputInterception } from './interception.js';
import { addedMembers, extensionMembers } from './members.js';
import { ResultTypes } from './result-types.js';

const install: Install = (extensions, host) => {
  const all = new ClientExtensions(extensions, host.spoken);
  const clients = new Map<string, BoundExtensionClient>();
  const boundTo = ({ id }: ClientContributions): BoundExtensionClient => {
    const client = clients.get(id) ?? new BoundExtensionClient(id, all, host);
    clients.set(id, client);
    return client;
  };
  const features = extensions.map((extension) => extensionFeature(extension, all, boundTo(extension)));
  return {
    features,
    middleware: extensions.flatMap((one) => one.middleware?.(boundTo(one)) ?? []),
    results: new ResultTypes(all, clients),
    filters: all,
    preparation: callPreparation(extensions, { all, clients, limit: host.knownTools }),
    interception: inputInterception(extensions, clients),
    members: (prototype) => extensionMembers(extensions, clients, prototype),
  };
};

/** Names of the core protocol. */
const coreFilters = [
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
  'resourceSubscriptions',
];
const coreResultTypes = ['complete', 'input_required'];

/** A function, because bundlers keep the result of a call at the top of a file. */
function memberRules(): { readonly [Name in keyof Required<ClientContributions>]: OptionRule } {
  const { callable, flag, text } = optionRules;
  return {
    id: text,
    settings: {
      is: 'an object, or a function that returns one for a revision',
      allows: (value) => isObject(value) || callable.allows(value),
    },
    capabilities: callable,
    inCore: callable,
    clientDeclares: flag,
    methods: listOf(
      'what serve(method, handler) returns',
      ({ method, handler }) => isObject(method) && method.kind === 'method' && callable.allows(handler),
    ),
    notifications: listOf(
      'what listen(notification, listener) returns',
      ({ notification, listener }) =>
        isObject(notification) && notification.kind === 'notification' && callable.allows(listener),
    ),
    filters: {
      is: `a list of names other than ${coreFilters.join(', ')}`,
      allows: (value) =>
        Array.isArray(value) && value.every((one) => text.allows(one) && !coreFilters.includes(one)),
    },
    resultTypes: listOf(
      `{ type, settle } with a type other than ${coreResultTypes.join(', ')}, and perhaps matches(result), outlasts(params), abandon(result, call) and lasting: true`,
      ({ type, settle, matches, outlasts, abandon, lasting }) =>
        text.allows(type) &&
        !coreResultTypes.includes(type as string) &&
        callable.allows(settle) &&
        (matches === undefined || callable.allows(matches)) &&
        (outlasts === undefined) === (abandon === undefined) &&
        (outlasts === undefined || (callable.allows(outlasts) && callable.allows(abandon))) &&
        (lasting === undefined || flag.allows(lasting)),
    ),
    prepareToolCall: callable,
    mayLackParams: callable,
    mayRepeat: callable,
    interceptInput: callable,
    middleware: callable,
    onSession: callable,
    members: callable,
    start: callable,
    stop: callable,
    external: flag,
  };
}

/**
 * Defines an extension for `connect(target, { extensions: [extension] })`.
 * @throws TypeError if the id or a contribution is malformed, or the extension advertises itself and contributes nothing.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export function defineExtension<const Id extends string, Members extends object = object>(
  extension: ClientContributions<Id, Members>,
): ClientExtension<Id, Members> {
  if (isObject(extension)) requireId(extension.id);
  requireOptions<ClientContributions>(`Extension ${JSON.stringify(extension?.id)}`, extension, memberRules());
  const { id, settings, capabilities, inCore, clientDeclares, external, ...contributions } = extension;
  if (external !== true && Object.values(contributions).every((one) => one === undefined))
    throw new TypeError(
      `Extension "${id}" advertises itself and contributes nothing. Give it methods, notifications, filters, resultTypes, ` +
        'prepareToolCall, interceptInput, middleware, onSession, members, start or stop; or set external: true if the program implements it elsewhere.',
    );
  // Not enumerable: a copy with other members must be checked again.
  const own = Object.isExtensible(extension) ? extension : { ...extension };
  const of = (client: object) => addedMembers(own, client);
  return Object.freeze(
    Object.defineProperties(own, { [installation]: { value: install }, of: { value: of } }),
  ) as ClientExtension<Id, Members>;
}

/** Handles a method the server calls. */
export function serve<M extends Method>(method: M, handler: ServedHandler<M>): ServedMethod {
  return { method, handler: handler as unknown as ServedHandler };
}

/** Receives a notification of the server. Errors of the listener go to `onError`. */
export function listen<N extends CustomNotification>(
  notification: N,
  listener: (params: ReceivedParams<N>, client: ExtensionClient) => unknown,
): HandledNotification {
  return { notification, listener: listener as HandledNotification['listener'] };
}

function requireId(id: unknown): void {
  const problem = typeof id === 'string' ? extensionIdProblem(id) : 'is not a text';
  if (problem !== undefined)
    throw new TypeError(`The extension identifier ${JSON.stringify(id)} ${problem}.`);
}
