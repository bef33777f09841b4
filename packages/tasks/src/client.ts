export type {
  ResumedTask,
  ResumeOptions,
  TaskClient,
  TaskRequestOptions,
} from './client/task-client.js';
export {
  asTask,
  type OnTask,
  type TaskChange,
  type TaskChoice,
  type TaskClientOptions,
} from './client/task-options.js';
export type { TaskReference, TaskWire } from './client/task-reference.js';
export { type TaskMembers, tasks } from './client/tasks.js';
export type { DetailedTask, Task, TaskStatus } from './model/task.js';
