export { type ChildProgram, runChild } from './dev/child/run-child.js';
