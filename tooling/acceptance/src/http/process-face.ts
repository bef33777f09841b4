import { startServerProgram } from '../../../suite/services/server-program.js';
import { type HttpFace, remoteFace } from './face.js';

/**
 * Starts a server as a child process that prints its address: `{"url": ...}` on one line.
 * @throws Error if the process fails
 */
export async function processFace(args: readonly string[], cwd: string): Promise<HttpFace> {
  const onStderr = (text: string) => void process.stderr.write(text);
  const server = await startServerProgram(process.execPath, args, { cwd, onStderr });
  const face = remoteFace(server.addresses.url);
  return {
    ...face,
    async close() {
      await face.close();
      const status = await server.end();
      if (status !== 0) throw new Error(`the server ended with ${status}`);
    },
  };
}
