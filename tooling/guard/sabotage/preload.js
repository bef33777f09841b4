// The guard's test loads this module first in a measured process: `preload.js?parse-twice` and so on. It adds a slow path to
// the built packages, so that the test can see the guard fail.
import { register } from 'node:module';
import { slowPaths } from './slow-paths.js';

const name = new URL(import.meta.url).search.slice(1);
const slowPath = Object.hasOwn(slowPaths, name) && slowPaths[/** @type {keyof typeof slowPaths} */ (name)];
if (slowPath === false) throw new RangeError(`No slow path is named ${name}.`);
register('./hook.js', { parentURL: import.meta.url, data: slowPath });
