import { follow } from '@tenon/foundation';

/** The signals that request a process to end. SIGHUP is sent when its terminal or console closes. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `close` at the first signal that requests this process to end, then ends it with that signal; a second signal ends it
 * immediately. Returns a function that removes the listeners.
 * @param within - milliseconds after which the process ends even if `close` has not finished; no limit by default.
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
