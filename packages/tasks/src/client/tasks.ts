import { isRecord } from '@tenon/foundation';
import type { CallToolParams, ClientCapabilities, ClientExtension } from '@tenon/mcp-client';
import {
  defineExtension,
  type ExtensionClient,
  listen,
  serve,
  type ToolCallDraft,
} from '@tenon/mcp-client/extension';
import { fromCoreTask } from '../model/core-wire.js';
import { fromDetailedTask } from '../model/extension-wire.js';
import {
  cancelTask,
  getTask,
  inCore,
  inExtension,
  listTasks,
  taskChanged,
  taskResult,
  taskStatusChanged,
} from '../model/methods.js';
import { extensionId, taskResultType } from '../model/task.js';
import { ClientTasks } from './client-tasks.js';
import { ReceivedTasks } from './received-tasks.js';
import { TaskClient } from './task-client.js';
import { taskFilter } from './task-listening.js';
import { choiceIn, settingsOf, type TaskClientOptions, type TaskSettings } from './task-options.js';

/** The members that the extension adds to a client. */
export interface TaskMembers {
  readonly tasks: TaskClient;
}

/**
 * Tool calls that become tasks: `connect(target, { extensions: [tasks()] })`. `callTool` resolves with the final result, whether the
 * server answers at once or creates a task.
 * @throws TypeError or RangeError for an invalid option.
 * @see https://modelcontextprotocol.io/extensions/tasks/overview
 */
export function tasks(options: TaskClientOptions = {}): ClientExtension<typeof extensionId, TaskMembers> {
  const settings = settingsOf(options);
  const all = new WeakMap<ExtensionClient, Parts>();
  const of = (client: ExtensionClient): Parts => {
    let parts = all.get(client);
    if (parts === undefined) {
      const { bounds } = settings;
      parts = { sent: new ClientTasks(client, settings), received: new ReceivedTasks(client, bounds) };
      all.set(client, parts);
    }
    return parts;
  };
  return defineExtension({
    id: extensionId,
    settings: (revision) => (inExtension(revision) ? {} : undefined),
    capabilities: (revision, own) => (inCore(revision) ? receiving(own) : undefined),
    methods: [
      serve(getTask, (params, { client }) => of(client).received.get(params)),
      serve(taskResult, (params, { client, signal }) => of(client).received.result(params, signal)),
      serve(listTasks, (params, { client }) => of(client).received.list(params)),
      serve(cancelTask, (params, { client }) => of(client).received.cancel(params)),
    ],
    interceptInput: (request, next) => of(request.client).received.answer(request, next),
    // Each part looks for its own capability: a server without tasks of its own may run input requests as tasks.
    inCore: () => true,
    filters: [taskFilter],
    notifications: [
      listen(taskChanged, (params, client) => of(client).sent.notified(fromDetailedTask(params))),
      listen(taskStatusChanged, (params, client) => of(client).sent.notified(fromCoreTask(params))),
    ],
    resultTypes: [
      {
        type: taskResultType,
        matches: ({ task }) => isRecord(task),
        lasting: true,
        // https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation#behavior-requirements
        outlasts: ({ task }) => task !== undefined,
        settle: (result, call) => of(call.client).sent.settle(result, call),
        abandon: (result, call) => of(call.client).sent.abandon(result, call),
      },
    ],
    prepareToolCall: (call) => prepared(call, settings),
    mayLackParams: (call) => mayNeedTask(call),
    members: (client) => ({ tasks: new TaskClient(client, of(client).sent) }),
    start: (client) => of(client).sent.sessionBegan(),
    stop: (client) => {
      const { sent, received } = of(client);
      sent.stop();
      received.stop();
    },
  });
}

/** The tasks of one client: those at the server, and those that the server has at the client. */
interface Parts {
  readonly sent: ClientTasks;
  readonly received: ReceivedTasks;
}

/** The capability for the input requests that the client answers, which all can run as tasks. */
function receiving({ elicitation, sampling }: ClientCapabilities): ClientCapabilities {
  if (elicitation === undefined && sampling === undefined) return {};
  const requests = {
    ...(elicitation !== undefined && { elicitation: { create: {} } }),
    ...(sampling !== undefined && { sampling: { createMessage: {} } }),
  };
  return { tasks: { list: {}, cancel: {}, requests } };
}

/**
 * True for a call of a tool that runs only as a task. The official SDK answers a call without a task with a failed result, in place of the error
 * -32601 that the protocol has for it.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#tool-level-negotiation
 */
function mayNeedTask({ params, tool, client }: ToolCallDraft): boolean {
  if (params.task !== undefined || client.server?.capabilities.tasks?.requests?.tools?.call === undefined)
    return false;
  return tool === undefined || tool.execution?.taskSupport === 'required';
}

/** Returns the params with `task` where the call runs as a task, in the core protocol. */
function prepared({ params, tool, client }: ToolCallDraft, settings: TaskSettings): CallToolParams {
  const { choice, rest } = choiceIn(params._meta);
  let own = params;
  if (choice !== undefined) {
    const { _meta, ...others } = params;
    own = rest === undefined ? others : { ...others, _meta: rest };
  }
  const { server } = client;
  if (server === undefined || !inCore(server.revision) || own.task !== undefined) return own;
  if (server.capabilities.tasks?.requests?.tools?.call === undefined) return own;
  const support = tool?.execution?.taskSupport;
  const wanted = choice === undefined ? settings.prefer === 'task' : choice !== false;
  if (support !== 'required' && !(support === 'optional' && wanted)) return own;
  const ttl = (choice === undefined || choice === false ? undefined : choice.ttl) ?? settings.ttl;
  return { ...own, task: ttl === undefined ? {} : { ttl } };
}
