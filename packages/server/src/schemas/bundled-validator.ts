import { type InterpretingValidator, interpreter } from '../interpreter.js';

export const validator: InterpretingValidator = interpreter();
