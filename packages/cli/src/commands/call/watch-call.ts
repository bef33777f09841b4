import type { CallOptions, LogLevel } from '@tenon/mcp-client';
import type { OpenOptions } from '@tenon/mcp-workbench';
import type { Terminal } from '../../terminal/terminal.js';

/** Returns the options of a connection that print log messages of at least a level to stderr. */
export function logging(level: LogLevel | undefined, terminal: Terminal): Partial<OpenOptions> {
  if (level === undefined) return {};
  return {
    logLevel: level,
    onLog({ level: one, logger, data }) {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      const from = logger === undefined ? '' : ` ${logger}`;
      terminal.note(`${terminal.paintError('dim', `${one}${from}:`)} ${text}`);
    },
  };
}

/** Returns the listener that shows progress in the status line, or prints each step with `--progress`. */
export function progressListener(
  { progress: prints }: { readonly progress?: true },
  terminal: Terminal,
): NonNullable<CallOptions['onProgress']> {
  return ({ progress, total, message }) => {
    const amount = total === undefined ? String(progress) : `${progress}/${total}`;
    const text = `${amount}${message === undefined ? '' : ` ${message}`}`;
    if (prints) terminal.note(text);
    else terminal.status(text);
  };
}
