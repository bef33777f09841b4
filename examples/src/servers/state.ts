import { memoryState } from '@tenon/mcp-state';

const state = memoryState();

const version = await state.kv.put('cart/42/items', '[]', { ttl: 60_000 });
const written = await state.kv.compareAndSet('cart/42/items', '["tea"]', { expected: version }); // the new version
console.log(
  written === version,
  await state.kv.compareAndSet('cart/42/items', '["milk"]', { expected: version }),
); // undefined: changed since

console.log(await state.log.append('cart/42/events', 'opened', { keep: { entries: 100 } })); // 1
console.log((await state.log.read('cart/42/events', 0)).entries.length); // 1

const end = await state.bus.subscribe('cart/42/changes', {
  message: (text) => console.log(text),
  gap: () => {},
});
await state.bus.publish('cart/42/changes', 'tea');
await end();

const lease = await state.leases.acquire('cart/42', 5_000);
if (lease !== undefined) {
  await state.kv.put('cart/42/owner', 'me', { fence: lease });
  await lease.release();
}
await state.close();
