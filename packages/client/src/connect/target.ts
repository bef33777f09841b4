import type { CommandTarget, ConnectionFactory, Dialer } from './dialer.js';
import type { ClientOptions } from './options.js';

/** The target of a connection. */
export type Target = string | URL | CommandTarget | ConnectionFactory | Dialer;

const supported =
  'a URL ("https://example.com/mcp"), a command to start ({ command, args, env, cwd }), a function that returns a Connection, or a Dialer ({ open, restartable })';

type DialerSettings = Pick<ClientOptions, 'auth' | 'headers' | 'fetch' | 'clock' | 'random'>;

/**
 * Returns the dialer of a target. Code that starts processes or opens sockets loads only if a target needs it.
 * @throws TypeError if the target is invalid, or does not support a setting.
 */
export async function dialerOf(target: Target, settings: DialerSettings = {}): Promise<Dialer> {
  if (target instanceof URL || (typeof target === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(target))) {
    const { httpTarget } = await import('../http.js');
    const { auth, headers, fetch, clock, random } = settings;
    return httpTarget(target, { auth, headers, fetch, clock, random });
  }
  for (const name of ['auth', 'headers', 'fetch'] as const) {
    if (settings[name] !== undefined) {
      throw new TypeError(
        `The option ${name} is for URLs: give it to httpTarget(url, { ${name} }) otherwise.`,
      );
    }
  }
  if (typeof target === 'function') return { open: target, restartable: true };
  if (typeof target === 'object' && target !== null) {
    if ('open' in target && typeof target.open === 'function') return target;
    if ('command' in target && typeof target.command === 'string') {
      const { stdioTarget } = await import('#stdio');
      return stdioTarget(target);
    }
  }
  const meant = typeof target === 'string' ? meantBy(target.trim()) : undefined;
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new TypeError(`This is not a target: give ${supported}.${hint}`);
}

/** Returns the probable meaning of a text: an address without its scheme, or a command line. */
function meantBy(text: string): string | undefined {
  if (text === '' || text.length > 500) return undefined;
  if (
    /^(localhost|[\w-]+(\.[\w-]+)+|\[[\da-f:]+\])(:\d+)(\/\S*)?$/i.test(text) ||
    /^localhost(\/\S*)?$/i.test(text)
  )
    return JSON.stringify(`http://${text}`);
  const [command = '', ...args] = text.split(/\s+/);
  if (args.length > 0) return `{ command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)} }`;
  if (/\.[cm]?js$/.test(command)) return `{ command: "node", args: ${JSON.stringify([command])} }`;
  return /^[\w-]+(\.[\w-]+)+\/\S*$/.test(text) ? JSON.stringify(`https://${text}`) : undefined;
}
