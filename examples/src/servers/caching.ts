// Resources with a lifetime: the client reads them once, and again when they are stale or have changed.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';

let rate = 11.5;
let reads = 0;

// #region server
const options = { cache: { lists: 300_000 } }; // milliseconds for which clients may reuse lists
const server = createServer({ name: 'exchange', version: '1.0.0' }, options)
  .resource(
    'rates://nok-eur',
    { name: 'nok-eur', cache: { ttlMs: 60_000, cacheScope: 'public' } }, // the same for every caller
    () => {
      reads++;
      return `${rate}`;
    },
  )
  .resource(
    'rates://portfolio',
    { name: 'portfolio', cache: { ttlMs: 10_000, cacheScope: 'private' } }, // for this caller alone
    (_, ctx) => `the portfolio of ${ctx.auth?.id}`,
  );

function quote(value: number): void {
  rate = value;
  server.resourceUpdated('rates://nok-eur'); // clients that watch the resource forget it
}
// #endregion

const client = await connectMemory(server, { info: { name: 'trader', version: '1.0.0' } });
const read = async () => textOf((await client.readResource('rates://nok-eur')).contents);

console.log('read', await read(), 'and', await read(), 'in', reads, 'reads');
const heard = new Promise<void>((resolve) => {
  void client.watch({ uris: ['rates://nok-eur'] }, () => resolve()).then(() => quote(11.7));
});
await heard;
console.log('read', await read(), 'in', reads, 'reads');
const { contents } = await client.readResource('rates://nok-eur', { fresh: true });
console.log('fresh', textOf(contents), 'in', reads, 'reads');
await client.close();
