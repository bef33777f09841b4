import process from 'node:process';
import { detach } from '@tenon/foundation';
import { connect } from '@tenon/mcp-client';
import { type MemoryServer, memoryTarget } from '@tenon/mcp-client/memory';
import { reportModules } from './dev/child/module-reports.js';
import {
  type ChildMessage,
  type ErrorReport,
  marker,
  readChildMessage,
  type SupervisorMessage,
} from './dev/child-messages.js';
import { type ListSnapshot, readSnapshot } from './dev/lists/list-snapshot.js';
import { RemoteState, type StateParts } from './dev/state/remote-state.js';

/** A server in this process. */
interface CreatedServer extends MemoryServer {
  close(): Promise<void>;
}

interface ListeningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The server file, and functions of the user's own packages. */
interface ChildProgram {
  readonly transport: 'http' | 'stdio';
  /** The file, for messages. */
  readonly file: string;
  /** The beginning of the URL for clients; absent over stdio. */
  readonly origin?: string;
  readonly state: StateParts;
  /** Imports the file. */
  load(): Promise<Readonly<Record<string, unknown>>>;
  /** Imports the entry of the server package that serves. Absent if the project does not have the package. */
  readonly http?: () => Promise<{ serveHttp(server: never, options: object): Promise<unknown> }>;
  readonly stdio?: () => Promise<{ serveStdio(server: never): Promise<unknown> }>;
}

/** Runs a server: under the supervision of the process that started this one, or alone for one client over stdio. */
export async function runChild(program: ChildProgram): Promise<void> {
  const isAlone = process.send === undefined;
  const send = (message: ChildMessage): void => {
    if (isAlone) reportAlone(message);
    else if (process.connected) process.send?.({ [marker]: message });
  };
  await new DevelopedProgram(program, { send, isAlone }).run();
}

/** Reports failures on stderr, where no supervisor reads them. */
function reportAlone(message: ChildMessage): void {
  if (message.type !== 'failed' && message.type !== 'error') return;
  console.error(message.type === 'error' ? `${message.where}: ${message.error.stack}` : message.error.stack);
  if (message.type === 'failed' && message.hint !== undefined) console.error(`hint: ${message.hint}`);
}

interface Supervision {
  send(message: ChildMessage): void;
  /** True without a supervisor. */
  readonly isAlone: boolean;
}

/** Milliseconds in which a server must close when its supervisor has ended. */
const endTime = 2_000;

class DevelopedProgram {
  readonly #program: ChildProgram;
  readonly #send: (message: ChildMessage) => void;
  readonly #isAlone: boolean;
  readonly #state: RemoteState;
  readonly #created = new Map<object, (list: 'tools' | 'prompts' | 'resources') => void>();
  /** The servers that the file serves itself; with the URL if over HTTP. */
  readonly #served = new Map<object, string | undefined>();
  readonly #serving = new Set<ListeningServer>();
  readonly #standIns: (() => void)[] = [];
  #stopping = false;

  constructor(program: ChildProgram, { send, isAlone }: Supervision) {
    this.#program = program;
    this.#send = send;
    this.#isAlone = isAlone;
    this.#state = new RemoteState(program.state, send);
  }

  async run(): Promise<void> {
    this.#install();
    if (this.#isAlone) await this.#run(async () => {});
    else {
      this.#listen();
      const modules = reportModules((urls) => this.#send({ type: 'loaded', urls }));
      await this.#run(() => modules.flush());
    }
  }

  /** Receives the messages of the supervisor, and reports errors that end this process. */
  #listen(): void {
    process.on('message', (value) => {
      // Both directions use the same envelope.
      const message = readChildMessage(value) as unknown as SupervisorMessage | undefined;
      if (message !== undefined) this.#receive(message);
    });
    process.once('disconnect', () => this.#abandoned());
    process.on('uncaughtException', (error, origin) => {
      // A listener of the user decides what happens.
      if (process.listenerCount('uncaughtException') > 1) return;
      this.#send({ type: 'error', where: origin, error: reportOf(error) });
      process.exit(1);
    });
  }

  async #run(flush: () => Promise<void>): Promise<void> {
    try {
      const server = await this.#chosen(await this.#program.load());
      const url = await this.#serve(server);
      if (this.#isAlone) return;
      const lists = server && (await listsOf(server));
      await flush();
      // Servers notify all listeners when they have joined the state: they do so before there are any.
      if (this.#created.size > 0) await this.#state.kv.get('dev/ready');
      this.#send({
        type: 'ready',
        ...(url !== undefined && { url }),
        ...(lists !== undefined && { lists }),
      });
    } catch (error) {
      await flush();
      const { hint } = Object(error);
      this.#send({
        type: 'failed',
        error: reportOf(error),
        ...(typeof hint === 'string' && { hint }),
      });
      if (process.connected) process.disconnect();
      process.exit(1);
    }
  }

  /** Installs the hook that servers of this process look up when they are created. */
  #install(): void {
    const hook = {
      state: this.#isAlone ? undefined : this.#state,
      created: (server: object, announce: (list: 'tools' | 'prompts' | 'resources') => void) => {
        this.#created.set(server, announce);
      },
      failed: (error: unknown, where: string) => this.#send({ type: 'error', where, error: reportOf(error) }),
      listening: (options: object) => ({ ...options, port: 0 }),
      listens: (server: object, serving: ListeningServer) => {
        this.#served.set(server, serving.url);
        this.#serving.add(serving);
        return this.#publicUrl(serving.url);
      },
      standardStreams: (server: object) => {
        if (!this.#served.has(server)) this.#served.set(server, undefined);
        return this.#program.transport === 'stdio' ? undefined : this.#standIn();
      },
    };
    Object.defineProperty(globalThis, Symbol.for('dev.tenon/development@1'), { value: hook });
  }

  /** Returns the URL for clients: they connect to the supervisor, not to this process. */
  #publicUrl(url: string): string {
    const { origin } = this.#program;
    return origin === undefined ? url : origin + new URL(url).pathname;
  }

  #standIn() {
    let end = () => {};
    const closed = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#standIns.push(end);
    return { closed, close: async () => end() };
  }

  /** Returns the server to serve, which a factory may create; undefined if the file speaks over the standard streams without us. */
  async #chosen(exported: Readonly<Record<string, unknown>>): Promise<CreatedServer | undefined> {
    const { transport, file } = this.#program;
    const factory = this.#created.size === 0 ? factoryIn(exported) : undefined;
    const made: unknown = await factory?.();
    const candidates = [made, exported.default, exported.server, ...this.#served.keys()];
    const chosen = candidates.find((one) => this.#created.has(one as object));
    if (chosen !== undefined) return chosen as CreatedServer;
    const [first, ...others] = this.#created.keys();
    if (first !== undefined && others.length === 0) return first as CreatedServer;
    if (first !== undefined) {
      throw Object.assign(new Error(`${file} creates ${others.length + 1} servers.`), {
        hint: 'Export the one to run: export default server',
      });
    }
    if (transport === 'stdio' && factory === undefined) return undefined;
    throw Object.assign(new Error(`${file} creates no server with createServer of @tenon/mcp-server.`), {
      hint: 'Export the server, or a function that returns the server: export default server. A server of another library that speaks over stdio runs with --stdio.',
    });
  }

  async #serve(server: CreatedServer | undefined): Promise<string | undefined> {
    if (server === undefined) return undefined;
    const { transport, http, stdio } = this.#program;
    if (transport === 'stdio') {
      if (this.#served.get(server) !== undefined || !this.#served.has(server))
        await (await required(stdio)).serveStdio(server as never);
      return undefined;
    }
    if (this.#served.get(server) === undefined) await (await required(http)).serveHttp(server as never, {});
    return this.#served.get(server);
  }

  #receive(message: SupervisorMessage): void {
    if (message.type === 'stop') this.#stop();
    else if (message.type === 'announce') {
      for (const announce of this.#created.values()) for (const list of message.lists) announce(list);
      // Announcements leave at the end of the turn.
      setImmediate(() => this.#send({ type: 'announced' }));
    } else this.#state.receive(message);
  }

  #stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    detach(this.#close(), () => process.exit(1));
  }

  /** Ends this process and what it has started: the supervisor has ended without a message. */
  #abandoned(): void {
    const end = () => {
      if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
      process.exit(1);
    };
    // Nothing answers calls of the state any more.
    detach(this.#state.close(), () => {});
    setTimeout(end, endTime);
    process.once('exit', end);
    this.#stop();
  }

  async #close(): Promise<void> {
    for (const end of this.#standIns) end();
    await Promise.allSettled([...this.#serving].map((serving) => serving.close()));
    const servers = [...this.#created.keys()] as CreatedServer[];
    await Promise.allSettled(servers.map((server) => server.close()));
    process.exit(0);
  }
}

/** Returns the exported function that creates the server: the default export, `server`, or the only exported function. */
function factoryIn(exported: Readonly<Record<string, unknown>>): (() => unknown) | undefined {
  const isFactory = (one: unknown): one is () => unknown =>
    typeof one === 'function' && !/^class\b/.test(Function.prototype.toString.call(one));
  const named = [exported.default, exported.server].find(isFactory);
  const all = Object.values(exported).filter(isFactory);
  return named ?? (all.length === 1 ? all[0] : undefined);
}

/** Reads the lists of a server of this process, as a client of its own. */
async function listsOf(server: MemoryServer): Promise<ListSnapshot> {
  const info = { name: 'tenon dev', version: '1.0.0' };
  const client = await connect(memoryTarget(server), { info, cache: false });
  try {
    return await readSnapshot((method, params) => client.request(method as never, params as never));
  } finally {
    await client.close();
  }
}

function required<T>(load: (() => Promise<T>) | undefined): Promise<T> {
  if (load !== undefined) return load();
  throw new Error('The package @tenon/mcp-server is not installed beside the file.');
}

function reportOf(error: unknown): ErrorReport {
  if (error instanceof Error) return { message: error.message, stack: cut(error.stack ?? error.message) };
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return { message: cut(text?.split('\n')[0] ?? ''), stack: cut(text ?? '') };
}

/** Errors can hold whole documents. */
function cut(text: string): string {
  return text.slice(0, 20_000);
}
