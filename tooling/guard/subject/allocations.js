import { Session } from 'node:inspector';
import { namePlace, ownerOf } from './function-names.js';

/** @typedef {import('node:inspector').HeapProfiler.SamplingHeapProfileNode} Node */

/** Samples which functions allocate, built-ins they call included. */
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

  /** @returns {Record<string, number>} bytes by function, or by package for what is not Tenon's */
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
 * @param {{ node: Node, caller: string }} at `caller` is whom the bytes of a built-in belong to
 */
function add(bytes, { node, caller }) {
  const { functionName, url, lineNumber } = node.callFrame;
  let name = caller;
  if (url !== '') {
    const owner = ownerOf(url);
    // A body begins on the next line; nothing may be mapped to where a method begins.
    const place = { line: lineNumber + 1, column: 1_000, name: functionName || '(anonymous)' };
    name = owner === 'tenon' ? namePlace(url, place) : owner;
  }
  if (node.selfSize > 0) bytes[name] = (bytes[name] ?? 0) + node.selfSize;
  for (const child of node.children) add(bytes, { node: child, caller: name });
}
