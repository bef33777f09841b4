// Counts calls of built-ins that coverage does not report. Replaces the globals before Tenon is loaded, so that references
// that a module keeps from its load are counted as well. Node's own modules keep the originals.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promiseHooks } from 'node:v8';

/** @typedef {Record<string, number>} Tally by count, see counts.js in ../verdict */

/** @type {Tally} */
const tally = {
  parse: 0,
  stringify: 0,
  timers: 0,
  turns: 0,
  errors: 0,
  aborts: 0,
  collections: 0,
  webObjects: 0,
  promises: 0,
};

/** @type {((id: string, own: Function) => void) | undefined} */
let onHit;

/** Replaces the counted globals. */
export function countBuiltIns() {
  wrapFunctions('parse', JSON, ['parse']);
  wrapFunctions('stringify', JSON, ['stringify']);
  for (const owner of [globalThis, timers]) {
    wrapFunctions('timers', owner, ['setTimeout', 'setInterval']);
    wrapFunctions('turns', owner, ['setImmediate']);
  }
  wrapFunctions('timers', timersPromises, ['setTimeout', 'setInterval']);
  wrapFunctions('turns', timersPromises, ['setImmediate']);
  wrapFunctions('turns', globalThis, ['queueMicrotask']);
  wrapFunctions('webObjects', globalThis, ['fetch', 'structuredClone']);
  wrapFunctions('timers', AbortSignal, ['timeout']);
  wrapFunctions('aborts', AbortSignal, ['any']);
  syncBuiltinESMExports();
  wrapClasses('errors', [
    'Error',
    'TypeError',
    'RangeError',
    'SyntaxError',
    'DOMException',
    'AggregateError',
  ]);
  wrapClasses('aborts', ['AbortController']);
  wrapClasses('collections', ['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef']);
  wrapClasses('webObjects', [
    ...[
      'Request',
      'Response',
      'Headers',
      'FormData',
      'Blob',
      'URL',
      'URLSearchParams',
      'EventTarget',
      'Event',
    ],
    ...[
      'ReadableStream',
      'WritableStream',
      'TransformStream',
      'MessageChannel',
      'TextEncoder',
      'TextDecoder',
    ],
  ]);
  promiseHooks.createHook({
    init() {
      tally.promises = (tally.promises ?? 0) + 1;
    },
  });
}

/** The counts since the last call. @returns {Tally} */
export function takeTally() {
  const taken = { ...tally };
  for (const id of Object.keys(tally)) tally[id] = 0;
  return taken;
}

/**
 * Calls a listener with each call and the replacement that was called; slow.
 *
 * @param {typeof onHit} listener
 */
export function watchBuiltIns(listener) {
  onHit = listener;
}

/**
 * @param {string} id
 * @param {Function} own
 */
function hit(id, own) {
  tally[id] = (tally[id] ?? 0) + 1;
  onHit?.(id, own);
}

/**
 * @param {string} id
 * @param {any} owner
 * @param {readonly string[]} names
 */
function wrapFunctions(id, owner, names) {
  for (const name of names) {
    const original = owner[name];
    /** @this {unknown} @param {unknown[]} given */
    const counted = function (...given) {
      hit(id, counted);
      return Reflect.apply(original, this, given);
    };
    Object.defineProperties(counted, Object.getOwnPropertyDescriptors(original));
    Object.defineProperty(owner, name, {
      value: counted,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  }
}

/**
 * @param {string} id
 * @param {readonly string[]} names of globals
 */
function wrapClasses(id, names) {
  const globals = /** @type {Record<string, any>} */ (globalThis);
  for (const name of names) {
    const construct = (
      /** @type {Function} */ target,
      /** @type {unknown[]} */ given,
      /** @type {Function} */ made,
    ) => {
      hit(id, construct);
      return Reflect.construct(target, given, made);
    };
    const apply = (
      /** @type {Function} */ target,
      /** @type {unknown} */ self,
      /** @type {unknown[]} */ given,
    ) => {
      hit(id, apply);
      return Reflect.apply(target, self, given);
    };
    const value = new Proxy(globals[name], { construct, apply });
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}
