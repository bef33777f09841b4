import { listOf, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import {
  type CustomNotification,
  extensionIdProblem,
  type Method,
  type ReceivedParams,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { MethodHandler, MethodOptions } from '../features/custom-methods.js';
import type { HandledNotification, ServedMethod, ServerContributions } from './extension.js';
import { extensionFeature } from './extension-feature.js';
import { inputInterception } from './input-interception.js';
import { type Installation, installation, type ServerExtension } from './installation.js';
import { OfferedExtensions } from './offered.js';
import { interception } from './tool-calls.js';
import { detachedInterception, runInterception } from './tool-runs.js';

const code: Installation = {
  offer: (extensions, spoken) => new OfferedExtensions(extensions, spoken),
  intercept: interception,
  interceptRun: runInterception,
  interceptInput: inputInterception,
  interceptDetached: detachedInterception,
  feature: extensionFeature,
};

/** A function, because bundlers keep the result of a call at the top of a file. */
function memberRules(): { readonly [Name in keyof Required<ServerContributions>]: OptionRule } {
  const { callable, flag, object, text, texts } = optionRules;
  return {
    id: text,
    settings: {
      is: 'an object, or a function that returns one for a revision',
      allows: (value) => isObject(value) || callable.allows(value),
    },
    capabilities: callable,
    clientDeclares: {
      is: 'true, false, or a function that returns one of them for a revision',
      allows: (value) => flag.allows(value) || callable.allows(value),
    },
    methods: listOf(
      'what serve(method, handler) returns',
      ({ method, handler }) => isObject(method) && method.kind === 'method' && callable.allows(handler),
    ),
    notifications: listOf(
      'what listen(notification, handler) returns',
      ({ notification, handler }) =>
        isObject(notification) && notification.kind === 'notification' && callable.allows(handler),
    ),
    filters: object,
    toolOptions: object,
    resultTypes: texts,
    interceptToolCall: callable,
    interceptRun: callable,
    interceptInput: callable,
    interceptDetached: callable,
    middleware: callable,
    register: callable,
    start: callable,
    drain: callable,
    stop: callable,
    needsSharedState: flag,
    external: flag,
  };
}

/**
 * Defines an extension for `createServer(info, { extensions: [extension] })`.
 * @throws TypeError if the id or a contribution is malformed, or the extension advertises itself and contributes nothing.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export function defineExtension<const Id extends string, Options extends object = object>(
  extension: ServerContributions<Id, Options>,
): ServerExtension<Id, Options> {
  requireOptions<ServerContributions>('defineExtension', extension as ServerContributions, memberRules());
  const { id, settings, capabilities, external, clientDeclares, needsSharedState, ...contributions } =
    extension;
  const problem = extensionIdProblem(id);
  if (problem !== undefined) throw new TypeError(`Extension "${id}" ${problem}.`);
  if (external !== true && Object.values(contributions).every((one) => one === undefined))
    throw new TypeError(
      `Extension "${id}" advertises itself and contributes nothing. Give it methods, notifications, filters, toolOptions, ` +
        'interceptToolCall, interceptRun, interceptInput, interceptDetached, middleware, register, start or stop; or set external: true if the program implements it elsewhere.',
    );
  if ((extension.resultTypes?.length ?? 0) > 0 && extension.interceptToolCall === undefined)
    throw new TypeError(`Extension "${id}" has resultTypes, which only interceptToolCall can return.`);
  // Not enumerable: a copy with other members must be checked again.
  const own = Object.isExtensible(extension) ? extension : { ...extension };
  return Object.freeze(Object.defineProperty(own, installation, { value: code })) as ServerExtension<
    Id,
    Options
  >;
}

/** Returns the contribution of a method. */
export function serve<M extends Method>(
  method: M,
  handler: MethodHandler<M>,
  options?: MethodOptions,
): ServedMethod {
  return { method, handler: handler as unknown as MethodHandler, options };
}

/** Returns the contribution of a notification. */
export function listen<N extends CustomNotification>(
  notification: N,
  handler: (params: ReceivedParams<N>) => unknown,
): HandledNotification {
  return { notification, handler: handler as HandledNotification['handler'] };
}
