import type { Terminal } from '../terminal/terminal.js';

/**
 * Calls a function when the user presses Ctrl+C while a field of a form has the keyboard, and interrupts the program: the terminal sends
 * no signal then. Returns a function that ends this.
 */
export function onInterruptKey({ source, isInteractive }: Terminal, interrupted: () => void): () => void {
  if (!isInteractive) return () => {};
  const pressed = (_: unknown, key: { readonly name?: string; readonly ctrl?: boolean } | undefined) => {
    if (key?.ctrl !== true || key.name !== 'c') return;
    interrupted();
    process.kill(process.pid, 'SIGINT');
  };
  source.input.on('keypress', pressed);
  return () => source.input.off('keypress', pressed);
}
