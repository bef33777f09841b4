// A connection that breaks during a call. The client reconnects; the call rejects, because it may have run.
import { connect, SessionError, textOf } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';

const server = createServer({ name: 'clock', version: '1.0.0' })
  .resource('clock://now', { name: 'now' }, () => 'noon')
  .tool(
    'wait',
    {},
    (_, ctx) =>
      new Promise<string>((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
      }),
  )
  .tool('time', {}, () => 'noon');
const inner = memoryTarget(server);
let cut = () => {};
const target = {
  open: async () => {
    const connection = await inner.open();
    cut = () => void connection.close();
    return connection;
  },
  restartable: true,
};

// #region staying
const client = await connect(target, {
  info: { name: 'watcher', version: '1.0.0' },
  onStateChange: ({ state }) => console.log('state:', state),
  onError: (error, where) => console.log(where, error), // errors that belong to no call
  reconnect: { attempts: 10, delay: 200, maxDelay: 5_000 }, // or false: never
  keepAlive: { interval: 15_000 }, // pings, in revisions that have them
});
const watch = await client.watch({ resources: true }, ({ kind }) => console.log('watch:', kind));
const call = client.callTool('wait').catch((error: unknown) => {
  if (error instanceof SessionError) console.log('the call:', error.reason); // it may have run
});
// #endregion
cut();
await call;
console.log('afterwards:', textOf((await client.callTool('time')).content));
await watch.close();
await client.close();
