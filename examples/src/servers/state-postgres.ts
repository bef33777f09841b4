// State in PostgreSQL. The URL of the database is in DATABASE_URL.
import { postgresState } from '@tenon/mcp-state-postgres';

const state = postgresState({
  connection: process.env.DATABASE_URL ?? 'postgres://localhost/postgres',
  onError: (error) => console.error(error),
});
state.onStatus((status, cause) => console.error(status, cause?.message ?? ''));

await state.kv.put('cart/42/items', '["tea"]', { ttl: 60_000 });
console.log((await state.kv.get('cart/42/items'))?.value); // ["tea"]

await state.close();
