import type { CommandTarget, ConnectionFactory, Dialer } from './dialer.js';

/** What a client can connect to. */
export type Target = CommandTarget | ConnectionFactory | Dialer;

const supported =
  'a command to start ({ command, args, env, cwd }), a function that returns a Connection, or a Dialer ({ open, restartable })';

/**
 * The way to reach a target. What starts processes is loaded only when a target asks for it.
 * @throws TypeError for what is no target.
 */
export async function dialerOf(target: Target): Promise<Dialer> {
  if (typeof target === 'function') return { open: target, restartable: true };
  if (typeof target === 'object' && target !== null) {
    if ('open' in target && typeof target.open === 'function') return target;
    if ('command' in target && typeof target.command === 'string') {
      const { stdioTarget } = await import('./stdio.js');
      return stdioTarget(target);
    }
  }
  const given: unknown = target;
  const isUrl = given instanceof URL || (typeof given === 'string' && /^https?:/i.test(given));
  throw new TypeError(
    `${isUrl ? 'A URL is not a supported target' : 'This is not a target'}: give ${supported}.`,
  );
}
