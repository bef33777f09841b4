// Loaded ahead of a measured process by the test of the guard: `preload.js?parse-twice` and so on. Has the built packages
// loaded with a slow path added, so that it is seen to turn the guard red.
import { register } from 'node:module';
import { slowPaths } from './slow-paths.js';

const name = new URL(import.meta.url).search.slice(1);
const slowPath = Object.hasOwn(slowPaths, name) && slowPaths[/** @type {keyof typeof slowPaths} */ (name)];
if (slowPath === false) throw new RangeError(`There is no slow path ${name}.`);
register('./hook.js', { parentURL: import.meta.url, data: slowPath });
