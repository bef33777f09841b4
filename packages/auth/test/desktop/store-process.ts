// The other processes in the tests of FileAuthStore: each runs one command, from its arguments.
import { appendFile } from 'node:fs/promises';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { otherBounds, systemClock } from '@tenon/foundation';
import { LockFile } from '@tenon/foundation/node';
import type { JsonObject } from '@tenon/mcp-protocol';
import { FileAuthStore } from '../../src/desktop/file-store.js';

const [command = '', path = '', ...rest] = process.argv.slice(2);
const stale = 500;
const store = new FileAuthStore({ path, ...otherBounds({ stale }) });
const heard = createInterface(process.stdin)[Symbol.asyncIterator]();

const commands: Readonly<Record<string, () => Promise<void>>> = {
  /** Holds the lock of a key until it receives a line. */
  hold: () => store.exclusively(rest[0] ?? '', held),
  /** Holds a lock file until it receives a line. */
  lock: () => new LockFile(path, { stale, wait: 10_000, clock: systemClock }).hold(held),
  /** Increments a value by swaps. */
  async count() {
    for (let left = Number(rest[0]); left > 0; ) {
      const kept = await store.get('count');
      if (await store.swap('count', kept?.version, { count: Number(kept?.value.count ?? 0) + 1 })) left--;
    }
  },
  /** Writes until the process is killed. */
  async write() {
    console.log('writing');
    for (let times = 1; ; times++) {
      const kept = await store.get(rest[0] ?? '');
      await store.swap(rest[0] ?? '', kept?.version, { times, text: 'x'.repeat(20_000) });
    }
  },
  /** Refreshes a token like a provider, after it receives a line; the second process finds the new token. */
  async refresh() {
    const before = await store.get('tokens');
    console.log('ready');
    await heard.next();
    const token = await store.exclusively('tokens', async () => {
      const now = await store.get('tokens');
      if (now !== undefined && now.version !== before?.version) return now.value;
      await appendFile(rest[0] ?? '', `refreshed by ${process.pid}\n`);
      await systemPause(100);
      const renewed: JsonObject = { accessToken: `of ${process.pid}` };
      await store.swap('tokens', now?.version, renewed);
      return renewed;
    });
    console.log(String(token.accessToken));
  },
};

async function held(): Promise<void> {
  console.log('held');
  await heard.next();
}

// Represents the response time of a token endpoint.
function systemPause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.schedule(resolve, ms, true));
}

await commands[command]?.();
process.stdin.destroy();
console.log('done');
