import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { FrameQueue } from './frame-queue.js';
import type { Peer } from './replay.js';

/** Starts a server as a child process. Output on stderr counts as a failure. */
export function processPeer(args: readonly string[], cwd: string): Peer {
  const child = spawn(process.execPath, args, { cwd, stdio: 'pipe' });
  const frames = new FrameQueue();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => frames.put(JSON.parse(line)));
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const exited = once(child, 'close').then(([code, signal]) => {
    frames.end();
    const how = `exits ${code ?? signal}`;
    return complaints === '' ? how : `${how} with this text on stderr: ${complaints}`;
  });
  return {
    send(texts) {
      if (texts.length > 0) child.stdin.write(`${texts.join('\n')}\n`);
    },
    next: () => frames.next(),
    async end() {
      child.stdin.end();
      return { how: await exited, unread: frames.rest() };
    },
  };
}
