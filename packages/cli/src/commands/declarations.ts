import type { Declare } from '../context.js';
import { declareApp } from './app/declare-app.js';
import { declareList } from './list/declare-list.js';

/** The commands, in the order of the help. */
export const declarations: readonly Declare[] = [declareList, declareApp];
