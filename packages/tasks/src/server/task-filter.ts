import type { ListenFilter } from '@tenon/mcp-server/extension';
import { extensionId } from '../model/task.js';
import { undeclared, visibleTask } from './task-access.js';
import type { TaskNotices } from './task-notices.js';
import type { TaskRuntime } from './task-runtime.js';
import type { TaskSettings } from './task-settings.js';

/** Tasks of one filter that are read at the same time. */
const readAtOnce = 50;

/** The member of the listen filter that names tasks: a stream receives the changes of those that its caller may see. */
export function taskFilter(
  { limits }: TaskSettings,
  running: () => { readonly runtime: TaskRuntime; readonly notices: TaskNotices },
): ListenFilter {
  return {
    check(value) {
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
        return 'must be a list of ids of tasks';
      return value.length > limits.listened ? `must have at most ${limits.listened} ids` : undefined;
    },
    async accept(value, { principal, clientCapabilities }) {
      if (clientCapabilities.extensions?.[extensionId] === undefined)
        throw undeclared('The filter "taskIds"');
      const { runtime, notices } = running();
      const ids = [...new Set(value as readonly string[])];
      const accepted: string[] = [];
      for (let from = 0; from < ids.length; from += readAtOnce) {
        const some = ids.slice(from, from + readAtOnce);
        const found = await Promise.all(
          some.map((taskId) => visibleTask(runtime, taskId, { auth: principal })),
        );
        for (const record of found)
          if (record !== undefined && notices.add(record.taskId)) accepted.push(record.taskId);
      }
      return accepted.length === 0 ? undefined : accepted;
    },
  };
}
