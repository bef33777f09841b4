/**
 * Returns the options of a client that calls as fast as it can, for a user with an answer to each input request.
 *
 * @param {object} caller
 * @param {string} caller.name
 * @param {string | undefined} caller.revision undefined to negotiate
 * @param {import('../../faults/random.js').Random} caller.random
 * @param {(message: string | undefined) => number} caller.onAsk answers an input request
 * @param {(data: unknown) => void} caller.onLog
 * @param {(error: unknown, where: string) => void} caller.onError
 * @returns {import('@tenon/mcp-client').ClientOptions}
 */
export function clientOptions({ name, revision, random, onAsk, onLog, onError }) {
  return {
    rates: false,
    info: { name, version: '1.0.0' },
    ...(revision !== undefined && { revision }),
    random: random.next,
    onError,
    logLevel: 'info',
    onElicit: ({ message }) => ({ action: 'accept', content: { value: onAsk(message) } }),
    onSample: ({ messages }) => {
      const text = String(onAsk(/** @type {any} */ (messages[0])?.content.text));
      return { model: 'user', role: 'assistant', content: { type: 'text', text } };
    },
    onLog: ({ data }) => onLog(data),
  };
}
