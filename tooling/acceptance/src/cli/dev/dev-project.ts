import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { otherBounds } from '@tenon/foundation';
import { type Client, type ConnectOptions, connect } from '@tenon/mcp-client';
import { stdioConnection } from '@tenon/mcp-transport-stdio/client';
import { type DevEvent, type DevOptions, type DevServer, startDev } from '@tenon/mcp-workbench/dev';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const modules = join(root, 'tooling/acceptance/node_modules');
const loader = pathToFileURL(createRequire(join(root, 'packages/cli/package.json')).resolve('tsx')).href;

/** Limits that no test reaches: on a busy machine, a server needs longer to start than a user would wait. */
const patient = { holdTime: 1_000_000, startTime: 1_000_000 };

/** The program of the command line. */
export const tenon: string = join(root, 'packages/cli/dist/main.js');

/** Writes a project that uses the packages of this workspace, and returns its folder. */
export async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-dev-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(modules, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** A running development server, and its events. */
export class DevRun {
  readonly folder: string;
  readonly events: DevEvent[] = [];
  /** The client's end of stdio. */
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly #emitter = new EventEmitter();
  readonly #transport: 'http' | 'stdio';
  #read = 0;
  #server: DevServer | undefined;

  private constructor(folder: string, transport: 'http' | 'stdio') {
    this.folder = folder;
    this.#transport = transport;
  }

  static async start(
    files: Readonly<Record<string, string>>,
    { bounds, ...options }: Partial<DevOptions> & { readonly bounds?: Readonly<Record<string, number>> } = {},
  ): Promise<DevRun> {
    const { transport = 'http' } = options;
    const run = new DevRun(await project(files), transport);
    run.#server = await startDev({
      target: { kind: 'file', file: 'server.ts' },
      loader,
      cwd: run.folder,
      streams: { input: run.input, output: run.output },
      ...options,
      ...otherBounds({ ...patient, ...bounds }),
      onEvent: (event) => {
        run.events.push(event);
        run.#emitter.emit('event');
      },
    });
    onTestFinished(() => run.server.close());
    return run;
  }

  get server(): DevServer {
    if (this.#server === undefined) throw new Error('not started');
    return this.#server;
  }

  /** Returns the next event of a type that was not returned yet; skips others. */
  async next<T extends DevEvent['type']>(type: T): Promise<Extract<DevEvent, { type: T }>> {
    for (;;) {
      const event = this.events[this.#read];
      if (event === undefined) await once(this.#emitter, 'event');
      else {
        this.#read++;
        if (event.type === type) return event as Extract<DevEvent, { type: T }>;
      }
    }
  }

  async save(text: string, name = 'server.ts'): Promise<void> {
    await writeFile(join(this.folder, name), text);
  }

  /** Connects a client over the transport of this run. */
  async connect(options: Partial<ConnectOptions> = {}): Promise<Client> {
    const target =
      this.#transport === 'stdio'
        ? () => stdioConnection({ input: this.output, output: this.input, readWhileBlocked: true })
        : String(this.server.url);
    const client = await connect(target, { info: { name: 'tester', version: '1.0.0' }, ...options });
    onTestFinished(() => client.close());
    return client;
  }
}

/** Returns the source of a server with tools that answer with a text. */
export function toolsServer(tools: Readonly<Record<string, string>>, more = ''): string {
  const lines = Object.entries(tools).map(
    ([name, text]) => `server.tool(${JSON.stringify(name)}, {}, (): string => ${JSON.stringify(text)});`,
  );
  return `import { createServer } from '@tenon/mcp-server';
const server = createServer({ name: 'developed', version: '1.0.0' });
${lines.join('\n')}
${more}
export default server;
`;
}

/** Returns the source of a server that an exported function creates. */
export function inFactory(text: string): string {
  return text
    .replace('const server', 'export const made = async () => {\nconst server')
    .replace('export default server;', 'return server;\n};');
}
