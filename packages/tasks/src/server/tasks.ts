import { isRecord } from '@tenon/foundation';
import { ErrorCode, RpcError, type ServerCapabilities, type Tool } from '@tenon/mcp-protocol';
import type { ServerExtension } from '@tenon/mcp-server';
import {
  defineExtension,
  type ExtendedResult,
  type ExtensionHost,
  type InterceptedCall,
  type InterceptedInput,
} from '@tenon/mcp-server/extension';
import { memoryState } from '@tenon/mcp-state';
import { WaitingOutcomes } from '@tenon/mcp-state/extension';
import { inCore, inExtension } from '../model/methods.js';
import { extensionId, taskResultType } from '../model/task.js';
import { inputAsTask, type NextInput, runsAsTask } from './input-as-tasks.js';
import { callerOf, runTaskCall, type TaskCall } from './task-call.js';
import { TaskChanges } from './task-changes.js';
import { taskFilter } from './task-filter.js';
import { taskMethods } from './task-methods.js';
import { TaskNotices } from './task-notices.js';
import { RunningHandlers, reporter, type TaskRuntime } from './task-runtime.js';
import {
  type TaskSettings,
  type TaskSupport,
  type TasksOptions,
  type TaskToolOptions,
  taskSettings,
  toolSettings,
  toolTasksProblem,
} from './task-settings.js';
import { TaskStore } from './task-store.js';

const coreCapabilities: ServerCapabilities = {
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};

const listed: Readonly<Record<TaskSupport, Pick<Tool, 'execution'>>> = {
  never: {},
  allow: { execution: { taskSupport: 'optional' } },
  always: { execution: { taskSupport: 'required' } },
};

/**
 * Returns the extension for tasks, which are tool calls that are answered before they have ended: `createServer(info, { extensions: [tasks()] })`, and
 * `server.tool(name, { task: 'allow' }, handler)`. The same handlers serve the tasks of 2025-11-25, the extension of 2026-07-28, and
 * clients without tasks, which wait for the result.
 * @throws TypeError or RangeError if an option is misspelt or invalid.
 * @see https://modelcontextprotocol.io/extensions/tasks/overview
 */
export function tasks(options: TasksOptions = {}): ServerExtension<typeof extensionId, TaskToolOptions> {
  const settings = taskSettings(options);
  const { inputAsTasks } = settings;
  let started: { readonly runtime: TaskRuntime; readonly notices: TaskNotices } | undefined;
  const running = () => {
    if (started === undefined) throw new Error('The server has not started.');
    return started;
  };
  return defineExtension<typeof extensionId, TaskToolOptions>({
    id: extensionId,
    settings: (revision) => (inExtension(revision) ? {} : undefined),
    capabilities: (revision) => (inCore(revision) ? coreCapabilities : undefined),
    // Each method and filter decides itself: clients of an earlier revision may read their tasks without it.
    clientDeclares: false,
    resultTypes: [taskResultType],
    filters: { taskIds: taskFilter(settings, () => running()) },
    toolOptions: {
      task: { check: toolTasksProblem, entry: (value) => listed[toolSettings(value, settings).support] },
    },
    methods: taskMethods(() => running().runtime, settings.maxTtl),
    interceptToolCall: (call, next) => {
      const { runtime, notices } = running();
      const given = taskCall(call, settings, (taskId) => notices.add(taskId));
      return given === undefined ? next() : decided(runtime, given, next);
    },
    ...(inputAsTasks !== undefined && {
      interceptInput: (request: InterceptedInput, next: NextInput) => {
        if (!runsAsTask(request)) return next();
        return inputAsTask({ host: running().runtime.host, tasks: inputAsTasks }, request, next);
      },
    }),
    start(host) {
      if (started !== undefined)
        throw new Error('tasks() is in use by another server: call it once for each server.');
      started = startTasks(host, settings);
    },
    async drain() {
      const { runtime } = running();
      runtime.running.isDraining = true;
      if (runtime.host.processes === undefined) return;
      await Promise.all([...runtime.active.values()].map((task) => task.handOver()));
    },
    async stop() {
      const { runtime, notices } = running();
      started = undefined;
      runtime.running.isDraining = true;
      notices.stop();
      const closed = new Error('The server has closed.');
      await Promise.all([...runtime.active.values()].map((task) => task.abort(closed)));
      await runtime.changes.stop();
    },
  });
}

function startTasks(host: ExtensionHost, settings: TaskSettings) {
  const report = (error: unknown) => host.onError(error, `extension ${extensionId}`);
  const state = host.state ?? memoryState({ clock: host.clock, onError: report });
  const changes = new TaskChanges(state.bus, host.clock, report);
  const reportTask = reporter(host);
  const runtime: TaskRuntime = {
    host,
    settings,
    state,
    changes,
    store: new TaskStore({
      host,
      state,
      settings,
      announce: (taskId) => changes.announce(taskId),
      report: (taskId) => (error) => reportTask(error, `task ${taskId}`),
    }),
    active: new Map(),
    running: new RunningHandlers(settings.limits.running),
    waiting: new WaitingOutcomes(),
    report: reportTask,
  };
  const notices = new TaskNotices(runtime);
  changes.start((taskId) => notices.changed(taskId));
  return { runtime, notices };
}

/**
 * Returns the call if it may become a task, by its tool, its revision and its client; undefined for an ordinary call.
 * @throws RpcError method not found, or MissingCapabilityError, if the tool and the client do not agree on tasks.
 */
function taskCall(
  call: InterceptedCall<TaskToolOptions>,
  settings: TaskSettings,
  created: (taskId: string) => void,
): TaskCall | undefined {
  const tool = toolSettings(call.option('task'), settings);
  const { support } = tool;
  if (!inCore(call.revision)) {
    if (support === 'always') call.requireClient();
    return support === 'never' || call.settings === undefined
      ? undefined
      : { call, tool, ttl: undefined, created };
  }
  const wanted = call.params.task;
  const subject = `The tool "${call.name}"`;
  if (wanted !== undefined && support === 'never')
    throw new RpcError(
      ErrorCode.methodNotFound,
      `${subject} does not run as a task: call it without "task".`,
    );
  if (wanted === undefined && support === 'always')
    throw new RpcError(ErrorCode.methodNotFound, `${subject} runs only as a task: call it with "task".`);
  if (wanted === undefined) return undefined;
  const ttl = isRecord(wanted) && typeof wanted.ttl === 'number' ? wanted.ttl : undefined;
  return { call, tool, ttl, created };
}

/** Runs a call of a client with tasks, of a tool that allows them. */
function decided(
  runtime: TaskRuntime,
  given: TaskCall,
  next: () => Promise<ExtendedResult>,
): Promise<ExtendedResult> {
  const { call, tool } = given;
  const isCore = inCore(call.revision);
  const answered = call.history?.answers ?? {};
  // The call itself requests this input, in rounds: it becomes a task once there are all answers.
  if (!isCore && tool.inputFirst.some((key) => !Object.hasOwn(answered, key))) return next();
  const { isDraining } = runtime.running;
  const obstacle = isDraining ? 'The server is closing' : runtime.running.obstacle(callerOf(call));
  if (obstacle === undefined) return runTaskCall(runtime, given);
  if (!isCore && tool.support === 'allow') return next();
  const code = isDraining ? ErrorCode.shuttingDown : ErrorCode.overloaded;
  throw new RpcError(code, `${obstacle}: call the tool "${call.name}" again later.`);
}
