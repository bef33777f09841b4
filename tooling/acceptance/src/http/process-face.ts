import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type HttpFace, remoteFace } from './face.js';

/**
 * Starts a server as a child process that prints its address: `{"url": ...}` on one line.
 * @throws Error if the process fails
 */
export async function processFace(args: readonly string[], cwd: string): Promise<HttpFace> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line]: unknown[] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(([code]) => Promise.reject(new Error(`the server ended with ${code} before it listened`))),
  ]);
  const { url } = JSON.parse(String(line)) as { readonly url: string };
  const face = remoteFace(url);
  return {
    ...face,
    async close() {
      await face.close();
      child.kill('SIGTERM');
      const [code, signal] = await exited;
      if (code !== 0) throw new Error(`the server ended with ${code ?? signal}`);
    },
  };
}
