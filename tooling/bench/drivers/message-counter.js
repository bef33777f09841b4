// Checks answers during a measurement, so it scans bytes and never parses. Each JSON-RPC message contains `"jsonrpc"` once, each
// answer `"result"` or `"error"`. Quotes inside strings are escaped, so text that a tool returns cannot match.
const message = Buffer.from('"jsonrpc"');
const answer = Buffer.from('"result"');
const errors = [Buffer.from('"error"'), Buffer.from('"isError":true')];
const longest = Math.max(...[message, answer, ...errors].map((text) => text.length));

/** @type {Buffer} */
const nothing = Buffer.alloc(0);

/** Counts the messages in bytes that arrive in chunks of any size, over SSE, in JSON bodies or in lines. */
export class MessageCounter {
  /** The number of messages, answers included. */
  messages = 0;
  /** The number of answers with a result. */
  answers = 0;
  /** True after an error. */
  failed = false;
  /** @type {Buffer} the end of the last chunk, which may be the start of a match */
  #before = nothing;

  /** @param {Buffer} chunk */
  take(chunk) {
    const old = this.#before.length;
    const bytes = old === 0 ? chunk : Buffer.concat([this.#before, chunk]);
    this.messages += countNew(bytes, message, old);
    this.answers += countNew(bytes, answer, old);
    this.failed ||= errors.some((text) => countNew(bytes, text, old) > 0);
    this.#before = bytes.subarray(Math.max(0, bytes.length - longest + 1));
  }
}

/**
 * Returns the number of matches that end after the first `old` bytes, which were counted before.
 *
 * @param {Buffer} bytes
 * @param {Buffer} text
 * @param {number} old
 */
function countNew(bytes, text, old) {
  let count = 0;
  let at = bytes.indexOf(text, Math.max(0, old - text.length + 1));
  while (at !== -1) {
    count++;
    at = bytes.indexOf(text, at + text.length);
  }
  return count;
}
