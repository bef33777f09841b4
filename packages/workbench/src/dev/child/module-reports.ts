import { createRequire, register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';

// Runs in the thread of the module hooks.
const hooks = `let port;
export function initialize(given) {
  port = given;
  port.on('message', (flush) => port.postMessage(flush));
}
export function load(url, context, next) {
  if (url.startsWith('file:')) port.postMessage(url);
  return next(url, context);
}`;

/** Reports each file that this process loads. */
interface ModuleReports {
  /** Resolves when all files that were loaded until now have been reported. */
  flush(): Promise<void>;
}

/** @param report - receives URLs of files, some of them more than once. */
export function reportModules(report: (urls: readonly string[]) => void): ModuleReports {
  const { port1, port2 } = new MessageChannel();
  const flushes = new Map<number, () => void>();
  let next = 1;
  port1.on('message', (message: string | number) => {
    if (typeof message === 'string') report([message]);
    else flushes.get(message)?.();
  });
  port1.unref();
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: port2, transferList: [port2] });
  const { cache } = createRequire(import.meta.url);
  return {
    async flush() {
      const number = next++;
      await new Promise<void>((resolve) => {
        flushes.set(number, resolve);
        port1.ref();
        port1.postMessage(number);
      });
      port1.unref();
      flushes.delete(number);
      // CommonJS modules do not pass the hooks.
      report(Object.keys(cache).map((path) => new URL(`file://${encodeURI(path)}`).href));
    },
  };
}
