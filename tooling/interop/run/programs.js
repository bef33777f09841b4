import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isGuarded } from './columns.js';

/** @typedef {{ command: string, args: string[] }} Program */

const here = fileURLToPath(new URL('..', import.meta.url));

/**
 * The command of a server. Over HTTP it writes one line of JSON when it listens, with its addresses as `url` and `sse`.
 *
 * @param {import('./columns.js').Column} column
 * @returns {Program}
 */
export function programOf({ server, transport }) {
  const command = process.execPath;
  if (server === 'tenon-everything') {
    const main = join(here, '../../apps/everything-server/dist/main.js');
    const reached = transport === 'stdio' ? ['--stdio'] : ['--http', '0'];
    if (transport === 'sse') reached.push('--sse');
    return { command, args: [main, ...reached, '--page-size', '2'] };
  }
  if (server === 'server-everything') {
    const argument = { stdio: 'stdio', http: 'streamableHttp', sse: 'sse' }[transport];
    return { command, args: [...(transport === 'stdio' ? [] : onLoopback()), referenceServer(), argument] };
  }
  if (server === 'fixture-fastmcp') return { command, args: [...onLoopback(), serverAt('fixtures/fastmcp')] };
  if (isGuarded({ server })) {
    const [, make, way] = server.split('-');
    const options = way === undefined ? [] : [`--${way}`];
    if (transport === 'sse') options.push('--sse');
    return { command, args: [serverAt(`guarded/${make}`), ...options] };
  }
  if (server.startsWith('fixture-v')) {
    const [, generation, way] = server.split('-');
    const program = serverAt(`fixtures/${generation}${transport === 'stdio' ? '' : '-http'}`);
    return { command, args: way === undefined ? [program] : [program, `--${way}`] };
  }
  return { command, args: [serverAt(server.replace('fixture-', 'fixtures/'))] };
}

/** For servers that neither choose the interface nor print their port. */
function onLoopback() {
  return ['--import', new URL('../servers/hosting/loopback.js', import.meta.url).href];
}

/** @param {string} path */
function serverAt(path) {
  return join(here, 'servers', `${path}.js`);
}

function referenceServer() {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('@modelcontextprotocol/server-everything/package.json');
  return join(dirname(manifest), 'dist/index.js');
}
