import type { Dialer } from '@tenon/mcp-client';

/** A dialer, and the number of frames sent through its connections. */
export interface Counter {
  readonly dialer: Dialer;
  sent(): number;
}

/** Returns the dialer with a counter. */
export function counting(dialer: Dialer): Counter {
  let count = 0;
  const counted = (one: Dialer): Dialer => ({
    ...one,
    async open() {
      const connection = await one.open();
      const send = connection.send.bind(connection);
      return Object.assign(connection, {
        send: (...message: Parameters<typeof send>) => {
          count++;
          return send(...message);
        },
      });
    },
    ...(one.older && { older: async () => counted(await (one.older as () => Dialer | Promise<Dialer>)()) }),
  });
  return { dialer: counted(dialer), sent: () => count };
}
