import { Session } from 'node:inspector';
import { namePlace, ownerOf } from './function-names.js';

/** @typedef {import('node:inspector').HeapProfiler.SamplingHeapProfileNode} Node */

/** Samples the functions that allocate, with the built-ins they call. */
export class Allocations {
  #session = new Session();

  constructor() {
    this.#session.connect();
  }

  start() {
    this.#session.post('HeapProfiler.startSampling', {
      samplingInterval: 32,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
  }

  /** @returns {Record<string, number>} bytes by function of Tenon, or by package for other code */
  stop() {
    /** @type {Record<string, number>} */
    const bytes = {};
    this.#session.post('HeapProfiler.stopSampling', (error, { profile }) => {
      if (error !== null) throw error;
      add(bytes, { node: /** @type {Node} */ (profile.head), caller: 'node' });
    });
    return bytes;
  }
}

/**
 * @param {Record<string, number>} bytes
 * @param {{ node: Node, caller: string }} at `caller` is the function that bytes of a built-in count for
 */
function add(bytes, { node, caller }) {
  const { functionName, url, lineNumber } = node.callFrame;
  let name = caller;
  if (url !== '') {
    const owner = ownerOf(url);
    // A body begins on the next line; the source map may have no entry where a method begins.
    const place = { line: lineNumber + 1, column: 1_000, name: functionName || '(anonymous)' };
    name = owner === 'tenon' ? namePlace(url, place) : owner;
  }
  if (node.selfSize > 0) bytes[name] = (bytes[name] ?? 0) + node.selfSize;
  for (const child of node.children) add(bytes, { node: child, caller: name });
}
