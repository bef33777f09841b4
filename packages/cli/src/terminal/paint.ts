import { styleText } from 'node:util';
import { printableText } from '@tenon/foundation';

/** A style of a text. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'underline';

/** Returns a text in a style, for `print` and `note` of the terminal. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** The beginning of escape sequences for styles. */
const sequence = '\u001b[';

/**
 * Returns the function that styles texts, for a stream that is a terminal or not. `NO_COLOR` and `FORCE_COLOR` decide first.
 * @param mark - replaces the beginning of the escape sequences until the text is printed. It must be random: a server must not know it.
 */
export function painter(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
  mark: string,
): Paint {
  const isForced = (env.FORCE_COLOR ?? '') !== '' && env.FORCE_COLOR !== '0';
  const isRefused = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb' || env.FORCE_COLOR === '0';
  if (!isForced && (isRefused || !isTerminal)) return (_, text) => text;
  return (style, text) => {
    const list = typeof style === 'string' ? style : [...style];
    const [open = '', close = ''] = styleText(list, '|', { validateStream: false })
      .replaceAll(sequence, mark)
      .split('|');
    return open + text + close;
  };
}

/** The beginning of a line that GitHub Actions or Azure Pipelines take for a command. Spaces before it do not matter. */
const workflowCommand = /^([^\S\n]*(?::(?=:)|#(?=#(?:vso)?\[)))/gm;

/** Returns a text without control characters and commands of a workflow, with the escape sequences of its styles. */
export function withStyles(text: string, mark: string): string {
  const [first = '', ...rest] = text.split(mark);
  const styled = rest.map((part) => {
    const [codes = ''] = /^[\d;]+m/.exec(part) ?? [];
    return (codes === '' ? '' : sequence + codes) + printableText(part.slice(codes.length));
  });
  return (printableText(first) + styled.join('')).replace(workflowCommand, '$1 ');
}
