import type { UnknownObject } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest, NotificationHandler, RequestHandler } from '@tenon/mcp-session';
import { compiled } from '../context/custom-shapes.js';
import type { Definition } from '../context/definition.js';
import type { ServerFeature } from '../core/feature.js';
import { customMethod } from '../features/custom-methods.js';
import type { CallChecker } from '../features/tool-run.js';
import { describeIssues } from '../schemas/schema.js';
import type { ReceivedNotice, ServerContributions } from './extension.js';
import { hostOf } from './extension-host.js';
import { offeredIn, offeredMethod } from './offered.js';

/** The contributions of an extension as a feature of the server. */
export function extensionFeature(
  definition: Definition,
  extension: ServerContributions,
  calls: CallChecker,
): ServerFeature {
  const methods: Record<string, RequestHandler> = {};
  for (const { method, handler, options } of extension.methods ?? []) {
    const admit = admission(definition, extension, method.name);
    methods[method.name] = customMethod(definition, offeredMethod(method, extension), {
      handler,
      options,
      admit,
    });
  }
  const notifications: Record<string, NotificationHandler> = {};
  for (const received of extension.notifications ?? [])
    notifications[received.notice.name] = receiver(definition, extension, received);
  return {
    name: `Extension "${extension.id}"`,
    methods,
    notifications,
    start: () => extension.start?.(hostOf(definition, extension, calls)),
    drain: () => extension.drain?.(),
    stop: () => extension.stop?.(),
  };
}

/** Rejects callers that did not declare the extension, before the request is validated. */
function admission(
  { extensions }: Definition,
  extension: ServerContributions,
  method: string,
): ((request: IncomingRequest) => void) | undefined {
  if (extension.clientDeclares === false) return undefined;
  return (request) => extensions?.requireDeclared(extension, request, method);
}

function receiver(
  definition: Definition,
  extension: ServerContributions,
  { notice, handler }: ReceivedNotice,
): NotificationHandler {
  const { name } = notice;
  const offered = offeredIn(extension);
  definition.spoken.addNotice(offered === undefined ? notice : { ...notice, in: offered }, 'client');
  const { params: shape } = compiled(definition, notice);
  const received = async ({ _meta, ...params }: UnknownObject) => {
    const outcome = (await shape?.validate(params)) ?? { ok: true, value: params };
    if (!outcome.ok) throw new TypeError(`${name}: invalid params: ${describeIssues(outcome.issues)}`);
    await handler(outcome.value as UnknownObject);
  };
  return (params) =>
    detach(received(params), (error) => definition.onError(error, `extension ${extension.id}`));
}
