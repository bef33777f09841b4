import { fileURLToPath } from 'node:url';
import { otherBounds } from '@tenon/foundation';
import { type Client, type ClientOptions, connect } from '@tenon/mcp-client';
import { type SpawnOptions, stdioTarget } from '@tenon/mcp-client/stdio';
import { FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';
import { goodContent } from './liar.js';
import { isAlive, WatchedProcesses } from './relayed-liar.js';
import { isLightOnce } from './strain.js';
import { counted, expectSeen, handshake, outcomeOf, type Seen } from './table.js';

const program = fileURLToPath(new URL('../../fixtures/hostile-client/child.mjs', import.meta.url));

/** One misbehaviour of a child process (the name of the row), and the outcome at its client. */
interface ChildRow {
  readonly name: string;
  /** The application's actions after connecting. Default: calls the tool `bad`. */
  readonly act?: (one: Started) => Promise<unknown>;
  readonly sees: Seen;
  /** True if connecting fails. */
  readonly connecting?: boolean;
  readonly reported?: RegExp;
  readonly spawn?: Partial<SpawnOptions>;
  readonly options?: Partial<ClientOptions>;
  readonly command?: Pick<SpawnOptions, 'command' | 'args' | 'cwd'>;
  /** True if connecting must not block the event loop or fill the heap. */
  readonly light?: boolean;
  /** True if another call succeeds afterwards. Default true. */
  readonly serves?: boolean;
}

/** A client, and everything observed about its child process. */
class Started {
  readonly clock = new FakeClock();
  readonly reported: string[] = [];
  readonly #processes: WatchedProcesses;
  readonly #options: Partial<ClientOptions>;
  #client: Client | undefined;
  /** Processes that children left running. */
  readonly left: number[] = [];

  constructor({ name, spawn, options = {}, command }: ChildRow) {
    const waits = otherBounds({ closeWaitMs: 100, terminateWaitMs: 100, exitGraceMs: 100 });
    const target = { command: process.execPath, args: [program, name], ...command, ...waits, ...spawn };
    this.#processes = new WatchedProcesses(stdioTarget(target));
    this.#options = options;
  }

  get client(): Client {
    return this.#client as Client;
  }

  get starts(): number {
    return this.#processes.count;
  }

  async open(): Promise<Client> {
    this.#client = await connect(this.#processes, {
      info: { name: 'honest', version: '1' },
      revision: handshake,
      clock: this.clock,
      random: () => 0.5,
      reconnect: false,
      onError: (error, where) => this.reported.length < 100 && this.reported.push(`${where}: ${error}`),
      onLog: ({ data }) => this.left.push(Number(data)),
      ...this.#options,
    });
    return this.#client;
  }

  /** Moves the clock past waits before another attempt until a promise settles. */
  async drive<Result>(promise: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    promise.then(over, over);
    while (!isOver) {
      const [wait] = this.clock.waiting;
      if (wait !== undefined && wait <= 30_000) await this.clock.advance(wait);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return promise;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    expect({ remains: await this.#processes.remains(), timers: this.clock.waiting }).toEqual({
      remains: [],
      timers: [],
    });
  }
}

const call = ({ client }: Started) => client.callTool('bad');
const isGood: Seen = { result: expect.objectContaining({ content: goodContent }) };
const dead = (text: RegExp, why?: number): Seen => ({ error: 'SessionError', why: why ?? 'closed', text });
const unstarted = (text: RegExp): Pick<ChildRow, 'connecting' | 'sees'> => ({
  connecting: true,
  sees: dead(text),
});
const well = (name: string, more: Partial<ChildRow> = {}): ChildRow => ({ name, sees: isGood, ...more });
const grandchild = async (started: Started) => {
  const { content } = await call(started);
  started.left.push(Number((content[0] as { text: string }).text));
  return content.length;
};

const rows: readonly ChildRow[] = [
  { name: 'exits at once', ...unstarted(/Could not start .*exited with code 3 before it sent a message/) },
  {
    name: 'exits at once and says why',
    ...unstarted(/exited with code 3[\s\S]*Its last lines on stderr:\n {2}The key is missing\./),
  },
  { name: 'is killed at once', ...unstarted(/was ended by SIGKILL before it sent a message/) },
  { name: 'is not there', command: { command: '/nowhere/server' }, ...unstarted(/was not found \(ENOENT\)/) },
  {
    name: 'may not be run',
    command: { command: program, args: [] },
    ...unstarted(/may not be executed \(EACCES\)/),
  },
  {
    name: 'has no folder to run in',
    command: { command: process.execPath, cwd: '/nowhere' },
    ...unstarted(/\/nowhere, which does not exist/),
  },
  {
    name: 'prints half a line and exits',
    ...unstarted(/exited with code 0/),
    reported: /ended inside the line/,
  },
  well('prints a banner', { reported: /The line is not JSON/ }),
  well('prints a banner of 100,000 lines', { light: true, reported: /The line is not JSON/ }),
  {
    name: 'prints before the first message',
    connecting: true,
    act: async (started) => {
      const opening = started.open();
      opening.catch(() => undefined);
      while (started.reported.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await started.clock.advance(32_500);
      return opening;
    },
    sees: {
      error: 'SessionError',
      why: 'timeout',
      text: /did not finish the handshake within 32500 ms/,
    },
    reported: /not JSON/,
  },
  well('prints binary', { reported: /not (UTF-8|JSON)/ }),
  well('prints NUL', { reported: /not JSON/ }),
  well('begins with a byte order mark'),
  well('ends lines as Windows does'),
  well('leaves blank lines'),
  well('floods stderr', { light: true }),
  well('writes stderr without lines', { light: true }),
  well('floods stderr', { spawn: { stderr: () => {} } }),
  well('ignores SIGTERM'),
  well('ignores every signal it can'),
  well('ignores the end of its input'),
  well('answers and exits', { serves: false }),
  well('answers without an end of line and exits', { serves: false }),
  { name: 'prints in the middle of an answer', sees: isGood, reported: /not JSON/ },
  { name: 'exits in mid-call', sees: dead(/exited with code 134[\s\S]*Out of memory\./), serves: false },
  {
    name: 'prints half an answer and exits',
    sees: dead(/exited with code 0/),
    reported: /ended inside the line/,
    serves: false,
  },
  { name: 'closes its output', sees: dead(/closed its output|was ended by SIG/), serves: false },
  {
    name: 'closes its input',
    act: async ({ client }) => {
      const calls = [
        client.callTool('bad'),
        ...Array.from({ length: 20 }, () => client.callTool('good', { x: 'x'.repeat(100_000) })),
      ];
      const ends = await Promise.allSettled(calls);
      return [...new Set(ends.slice(1).map((end) => end.status === 'rejected' && end.reason.name))];
    },
    sees: { result: ['SessionError'] },
    serves: false,
  },
  {
    name: 'never reads',
    connecting: true,
    act: async (started) => {
      const opening = started.open();
      opening.catch(() => undefined);
      // The time is looked at when half of it is over.
      for (let half = 0; half < 2; half++) {
        await started.clock.armed(32_500);
        await started.clock.advance(32_500);
      }
      return opening;
    },
    sees: { error: 'SessionError', why: 'timeout', text: /did not finish the handshake within 65000 ms/ },
  },
  {
    name: 'stops reading',
    spawn: otherBounds({ maxQueued: 1_000_000, flushWaitMs: 100 }),
    act: async (started) => {
      const calls = Array.from({ length: 50 }, () =>
        started.client.callTool('good', { x: 'x'.repeat(100_000) }),
      );
      return Promise.race([call(started), Promise.all(calls)]);
    },
    sees: dead(/left more than 1000000 characters unread/),
    serves: false,
  },
  { name: 'leaves a grandchild that holds its output', act: grandchild, sees: { result: 1 } },
  {
    name: 'leaves a grandchild that holds its output, and dies',
    sees: dead(/was ended by SIGKILL/),
    serves: false,
  },
  {
    name: 'exits in mid-call',
    options: { reconnect: { attempts: 3 } },
    act: async (started) => {
      await call(started).catch(() => undefined);
      await started.drive(started.client.callTool('good'));
      await call(started).catch(() => undefined);
      await started.drive(started.client.callTool('good'));
      return started.starts;
    },
    sees: { result: 3 },
  },
  {
    name: 'exits in mid-call',
    options: { reconnect: { attempts: 3 } },
    act: async (started) => {
      for (let time = 0; time < 10 && started.client.state !== 'closed'; time++) {
        await started.drive(call(started).catch(() => undefined));
      }
      expect(started.client.state).toBe('closed');
      return started.starts;
    },
    sees: { result: 4 },
    serves: false,
  },
];

describe('a child that', () => {
  rows.forEach((row, index) => {
    it(`${row.name} (${index + 1})`, () => hold(row));
  });

  it('leaves a grandchild in a group of its own: closing does not wait for it', async () => {
    const started = new Started({ name: 'leaves a grandchild in a group of its own', sees: isGood });
    await started.open();
    await grandchild(started);
    await started.close();
    for (const pid of started.left) process.kill(pid, 'SIGKILL');
  });

  counted('children that misbehave', () => rows.length + 1);
});

async function hold(row: ChildRow): Promise<void> {
  const { act = call, connecting, sees, reported, serves } = row;
  const started = new Started(row);
  try {
    if (row.light === true) await isLightOnce(() => started.open(), { held: 16 });
    else if (connecting !== true) await started.open();
    const task = connecting === true && row.act === undefined ? started.open() : act(started);
    expectSeen(await outcomeOf(task), sees);
    if (reported !== undefined) expect(started.reported).toContainEqual(expect.stringMatching(reported));
    if (connecting !== true && serves !== false) {
      expect((await started.client.callTool('good')).content).toEqual(goodContent);
    }
  } finally {
    await started.close();
  }
  // The transport ends the processes of a dead child a little later.
  while (started.left.some(isAlive)) await new Promise((resolve) => setImmediate(resolve));
}
