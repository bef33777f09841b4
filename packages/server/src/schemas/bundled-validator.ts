export { interpreted as validator } from '../interpreter.js';
