import { meantOption } from '@tenon/mcp-protocol/internal';
import type { HttpOptions } from './http-options.js';

const httpOptions: Readonly<Record<keyof HttpOptions, true>> = {
  allowedHosts: true,
  allowedOrigins: true,
  authenticate: true,
  clock: true,
  cors: true,
  limits: true,
  onError: true,
  remoteAddress: true,
  sessions: true,
  writeTimeout: true,
};

/**
 * Checks that all options are known: a misspelt `authenticate` must not leave a server open.
 * @param more - names that are allowed in addition to those of every HTTP server.
 * @throws TypeError that names the option that was meant, or lists all.
 */
export function requireKnownOptions(options: object, more: object = {}): void {
  const known = [...Object.keys(httpOptions), ...Object.keys(more)];
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      const meant = meantOption(name, known.sort());
      throw new TypeError(`There is no option ${JSON.stringify(name.slice(0, 100))}.${meant}`);
    }
  }
  const { sessions } = options as HttpOptions;
  if (sessions !== undefined && sessions !== false && typeof sessions !== 'object') {
    throw new TypeError('sessions must be false, or options such as { store, events, jsonOnly }.');
  }
}
