import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { start } from './children.js';

/** Milliseconds the server has to start, and to end. */
const patience = 10_000;

/** @param {'server' | 'client'} side */
function programOf(side) {
  return fileURLToPath(new URL(`../../../apps/everything-${side}/dist/main.js`, import.meta.url));
}

/** The command the suite starts our client with; `exec`, because the suite can end no child of its shell. */
export const clientCommand = `exec '${process.execPath}' '${programOf('client')}'`;

/**
 * Starts our server.
 *
 * @returns {Promise<{ url: string, said: () => string, close: () => Promise<string | undefined> }>} `url` names
 *   localhost, as the suite wants it; `said` gives what the server complained of; `close` tells when it would not end.
 */
export async function startServer() {
  const server = start(process.execPath, [programOf('server'), '--http', '0']);
  let complaints = '';
  server.child.stderr.on('data', (chunk) => {
    complaints = (complaints + chunk).slice(-8_000);
  });
  const timer = setTimeout(server.kill, patience);
  const line = await Promise.race([firstLine(server.child.stdout), server.ended.then(() => undefined)]);
  clearTimeout(timer);
  if (line === undefined) throw new Error(`The everything-server did not start.\n${server.output()}`);
  const url = new URL(JSON.parse(line).url);
  url.hostname = 'localhost';
  return {
    url: url.href,
    said: () => complaints.trim(),
    async close() {
      const stubborn = setTimeout(server.kill, patience);
      server.child.kill('SIGTERM');
      const status = await server.ended;
      clearTimeout(stubborn);
      return status === 0 ? undefined : `the everything-server ended with ${status} at SIGTERM`;
    },
  };
}

/**
 * @param {import('node:stream').Readable} stream
 * @returns {Promise<string>}
 */
function firstLine(stream) {
  return new Promise((resolve) => {
    createInterface({ input: stream }).once('line', resolve);
  });
}
