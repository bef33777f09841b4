export type { Task, TaskStatus } from './model/task.js';
