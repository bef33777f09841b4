import {
  type CustomNotification,
  defineMethod,
  defineNotification,
  type Method,
  type RevisionTraits,
} from '@tenon/mcp-protocol';

/** True in revisions with tasks in their core: the client decides, and the result is requested on its own. */
export const inCore = ({ rules }: RevisionTraits): boolean => rules.tasks;

/** True in revisions in which tasks are an extension: the server decides, and the result is a part of the task. */
export const inExtension = ({ lifecycle }: RevisionTraits): boolean => lifecycle === 'stateless';

/** True in revisions with tasks. */
export const inBoth = (revision: RevisionTraits): boolean => inCore(revision) || inExtension(revision);

// Their params have no shape here: the server checks them after the capabilities of the caller, which decide first.

/** Returns a task: flat, with the data of its status in revisions in which tasks are an extension. */
export const getTask: Method = defineMethod('tasks/get', { in: inBoth, named: 'taskId' });

/** Answers input requests of a task. */
export const updateTask: Method = defineMethod('tasks/update', { in: inExtension, named: 'taskId' });

/** Cancels a task. */
export const cancelTask: Method = defineMethod('tasks/cancel', { in: inBoth, named: 'taskId' });

/** Returns the result of a task when the task has ended. */
export const taskResult: Method = defineMethod('tasks/result', { in: inCore });

/** Returns the tasks of the caller. */
export const listTasks: Method = defineMethod('tasks/list', { in: inCore });

/** A task has changed; on listen streams that name the task. */
export const taskChanged: CustomNotification = defineNotification('notifications/tasks', { in: inExtension });

/** A task has changed; in sessions. */
export const taskStatusChanged: CustomNotification = defineNotification('notifications/tasks/status', {
  in: inCore,
});
