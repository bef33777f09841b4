import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FileAuthStore } from '@tenon/mcp-auth/desktop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { fakeTime } from './fake-time.js';
import { Scene, stateless } from './scene.js';

const program = fileURLToPath(new URL('../../../fixtures/authorization/refresher.js', import.meta.url));
const minute = 60_000;

/** A process that uses the token file of a scene. */
class Sharer {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(path: string, url: string) {
    this.#child = spawn(process.execPath, [program, JSON.stringify({ path, url })], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('It did not start.');
    this.#lines = createInterface(stdout)[Symbol.asyncIterator]();
  }

  async line(): Promise<string | undefined> {
    return (await this.#lines.next()).value as string | undefined;
  }

  go(): void {
    this.#child.stdin?.write('go\n');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

let folder: string;
let path: string;
let scene: Scene;
const sharers: Sharer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-attacks-'));
  path = join(folder, 'tokens.json');
  // This process's clock is an hour behind those of the processes, for which the token has expired.
  const clock = fakeTime();
  clock.stall(-60 * minute);
  scene = await Scene.open(stateless, { clock, issuer: { lifetimes: { accessToken: 10 * minute } } });
  scene.auth = scene.user({ store: new FileAuthStore({ path }) });
  await scene.call();
});
afterEach(async () => {
  for (const one of sharers.splice(0)) one.kill();
  await rm(folder, { recursive: true, force: true });
  await scene.close();
});

async function started(): Promise<Sharer> {
  const one = new Sharer(path, scene.url);
  sharers.push(one);
  expect(await one.line()).toBe('ready');
  return one;
}

const refreshes = () => scene.issuer.tokenRequests('refresh_token');
const counts = [2, 4];

describe('processes that share a token file', () => {
  it.each(counts)('refresh once when %i of them find an expired token', async (count) => {
    const all = await Promise.all(Array.from({ length: count }, started));
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    // The second process finds a refresh in progress.
    scene.behave({ onToken: () => asked() as undefined });
    for (const one of all) one.go();
    await isAsked;
    const lines = await Promise.all(all.map((one) => one.line()));
    expect(lines).toEqual(Array(count).fill(`user of ${scene.issuer.issuer}`));
    expect(refreshes()).toBe(1);
    scene.thrown.push(lines);
  });

  it('continue when one of them dies during a refresh', async () => {
    const first = await started();
    const second = await started();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let count = 0;
    scene.behave({
      onToken: async () => {
        asked();
        return ++count === 1 ? new Promise<never>(() => {}) : undefined;
      },
    });
    first.go();
    await isAsked;
    second.go();
    first.kill();
    expect(await second.line()).toBe(`user of ${scene.issuer.issuer}`);
    expect(refreshes()).toBe(2);
  });
});
counted('processes that share tokens', () => counts.length + 1);
