export type {
  InputTasks,
  TaskLimits,
  TaskSupport,
  TasksOptions,
  TaskToolOptions,
  ToolTasks,
} from './server/task-settings.js';
export { tasks } from './server/tasks.js';
