import type { Client, ConnectOptions } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, type Server, type ServerExtension, type ServerOptions } from '@tenon/mcp-server';
import { onTestFinished } from 'vitest';
import type { Skill } from '../src/skill/skill.js';

export const info = { name: 'test', version: '1' };

/** A server with an extension, and a client of it in a revision; closed when the test is over. */
export async function served(
  extension: ServerExtension,
  options: Partial<ConnectOptions> & { readonly server?: ServerOptions } = {},
): Promise<{ server: Server; client: Client }> {
  const { server: serverOptions, ...clientOptions } = options;
  const server: Server = createServer(info, { ...serverOptions, extensions: [extension] });
  const client = await connectMemory(server, { info, ...clientOptions });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { server, client: client as unknown as Client };
}

/** The skills of a result, as a test looks into them. */
export function skillsIn(result: { readonly [key: string]: unknown }): readonly Skill[] {
  return result.skills as readonly Skill[];
}
