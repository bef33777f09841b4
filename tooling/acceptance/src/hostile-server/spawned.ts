import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Revision } from '@tenon/mcp-protocol';
import { LinePeer } from './line-peer.js';

const program = fileURLToPath(new URL('../../fixtures/hostile-server/serve.js', import.meta.url));
const children = new Set<ChildProcessWithoutNullStreams>();

/** Exit code and signal of a server process. */
export type Exit = readonly [code: number | null, signal: NodeJS.Signals | null];

/** A peer of a server in another process. */
export class SpawnedPeer extends LinePeer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process has exited. */
  readonly exited: Promise<Exit>;
  /** The text on stderr. */
  complaints = '';

  constructor(revision: Revision, options: { readonly server?: object; readonly stdio?: object } = {}) {
    const { server = {}, stdio = {} } = options;
    const args = ['--expose-gc', program, JSON.stringify(server), JSON.stringify(stdio)];
    const child = spawn(process.execPath, args);
    super(revision, { input: child.stdin, output: child.stdout });
    this.child = child;
    children.add(child);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaints += text;
    });
    this.exited = once(child, 'exit').then(([code, signal]) => {
      children.delete(child);
      return [code, signal] as Exit;
    });
  }

  /** Returns the bytes in use, on the heap and outside, after a garbage collection. */
  async weigh(): Promise<number> {
    return Number(await this.call('weigh'));
  }

  /** Bytes of resident memory; undefined if the system does not report them. */
  get resident(): number | undefined {
    try {
      const [, pages] = readFileSync(`/proc/${this.child.pid}/statm`, 'utf8').split(' ');
      return Number(pages) * 4_096;
    } catch {
      return undefined;
    }
  }

  async close(): Promise<Exit> {
    this.input.end();
    return this.exited;
  }
}

/** Kills the processes a test left running. */
export function killChildren(): void {
  for (const child of children) child.kill('SIGKILL');
}
