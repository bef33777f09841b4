import { follow } from '@tenon/mcp-protocol/internal';

/** The signals that ask a process to end. SIGHUP comes when its terminal or console closes. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `close` at the first signal that asks this process to end, then lets the signal end it; a second signal ends it at
 * once. Returns a function that takes the listeners away again.
 * @param within - milliseconds after which the process ends whatever `close` still waits for; without end by default.
 */
export function onTermination(
  close: (signal: NodeJS.Signals) => Promise<void> | void,
  within?: number,
): () => void {
  let asked = false;
  const dispose = (): void => {
    for (const signal of endingSignals) process.off(signal, listener);
  };
  const die = (signal: NodeJS.Signals): void => {
    dispose();
    process.kill(process.pid, signal);
  };
  const listener = (signal: NodeJS.Signals): void => {
    if (asked) {
      die(signal);
      return;
    }
    asked = true;
    const done = (): void => die(signal);
    if (within !== undefined) setTimeout(done, within).unref();
    follow(Promise.resolve(signal).then(close), done, done);
  };
  for (const signal of endingSignals) process.on(signal, listener);
  return dispose;
}
