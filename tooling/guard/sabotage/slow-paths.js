/**
 * A way to make each message cost more.
 *
 * @typedef {object} SlowPath
 * @property {string} instead replaces `JSON.parse(text)`, where `$1` is the text
 * @property {string} added code for the end of the file
 */

/** @type {Record<'parse-twice' | 'parse-envelope' | 'allocate' | 'leak', SlowPath>} */
export const slowPaths = {
  'parse-twice': { instead: '(JSON.parse($1), JSON.parse($1))', added: '' },
  'parse-envelope': {
    instead: 'envelope().parse(JSON.parse($1))',
    added: `
      import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
      let schema;
      function envelope() {
        schema ??= z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string().optional() });
        return schema;
      }`,
  },
  allocate: {
    instead: 'wasteful(JSON.parse($1))',
    added: `
      function wasteful(message) {
        const copy = new Array(256).fill(message);
        return copy[0];
      }`,
  },
  leak: {
    instead: 'remembered(JSON.parse($1))',
    added: `
      const seen = [];
      function remembered(message) {
        seen.push(new Array(10).fill(0));
        return message;
      }`,
  },
};
