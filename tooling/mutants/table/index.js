import { sessionMutants } from './session.js';

/** Every known bug. @type {readonly import('../mutation.js').Mutant[]} */
export const mutants = [...sessionMutants];
