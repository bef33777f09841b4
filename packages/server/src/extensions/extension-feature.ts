import { detach } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import type { IncomingRequest, NotificationHandler, RequestHandler } from '@tenon/mcp-session';
import type { ContextParts } from '../context/context.js';
import type { ServerFeature } from '../core/feature.js';
import { customMethod } from '../features/custom-methods.js';
import type { CallChecker } from '../features/tool-run.js';
import { describeIssues } from '../schemas/schema.js';
import type { ExtensionParts } from './detached-run.js';
import type { HandledNotification, ServerContributions } from './extension.js';
import { hostOf } from './extension-host.js';
import { offeredIn, offeredMethod } from './offered.js';

/** The contributions of an extension as a feature of the server. */
export function extensionFeature(
  parts: ExtensionParts,
  extension: ServerContributions,
  calls: CallChecker,
): ServerFeature {
  const methods: Record<string, RequestHandler> = {};
  for (const { method, handler, options } of extension.methods ?? []) {
    const admit = admission(parts.context, extension, method.name);
    methods[method.name] = customMethod(parts, offeredMethod(method, extension), {
      handler,
      options,
      admit,
    });
  }
  const notifications: Record<string, NotificationHandler> = {};
  for (const received of extension.notifications ?? [])
    notifications[received.notification.name] = receiver(parts.context, extension, received);
  return {
    name: `Extension "${extension.id}"`,
    methods,
    notifications,
    start: () => extension.start?.(hostOf(parts, extension, calls)),
    drain: () => extension.drain?.(),
    stop: () => extension.stop?.(),
  };
}

/** Rejects callers that did not declare the extension, before the request is validated. */
function admission(
  { extensions }: ContextParts,
  extension: ServerContributions,
  method: string,
): ((request: IncomingRequest) => void) | undefined {
  if (extension.clientDeclares === false) return undefined;
  return (request) => extensions?.requireDeclared(extension, request, method);
}

function receiver(
  { shapes, onError }: ContextParts,
  extension: ServerContributions,
  { notification, handler }: HandledNotification,
): NotificationHandler {
  const { name } = notification;
  const offered = offeredIn(extension);
  const offeredNotification = offered === undefined ? notification : { ...notification, in: offered };
  const { params: shape } = shapes.add(offeredNotification, 'client');
  const received = async ({ _meta, ...params }: UnknownObject) => {
    const outcome = (await shape?.validate(params)) ?? { ok: true, value: params };
    if (!outcome.ok) throw new TypeError(`${name}: invalid params: ${describeIssues(outcome.issues)}`);
    await handler(outcome.value as UnknownObject);
  };
  return (params) => detach(received(params), (error) => onError(error, `extension ${extension.id}`));
}
