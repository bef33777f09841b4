import { styleText } from 'node:util';

/** A style of a text. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'underline';

/** Returns a text in a style. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** Returns the function that styles texts, for a stream that is a terminal or not. `NO_COLOR` and `FORCE_COLOR` decide first. */
export function painter(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const isForced = (env.FORCE_COLOR ?? '') !== '' && env.FORCE_COLOR !== '0';
  const isRefused = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb' || env.FORCE_COLOR === '0';
  if (!isForced && (isRefused || !isTerminal)) return (_, text) => text;
  return (style, text) =>
    styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false });
}
