import { access } from 'node:fs/promises';
import { type ClientEnvironment, mcpClients, shortPath } from '@tenon/mcp-workbench/clients';
import type { Terminal } from '../../terminal/terminal.js';

/** Prints the clients, and whether their files exist. */
export async function listClients(
  environment: ClientEnvironment,
  { terminal, json }: { readonly terminal: Terminal; readonly json: true | undefined },
): Promise<void> {
  const clients = await Promise.all(
    mcpClients.map(async ({ id, title, documentation, files }) => {
      const written = files(environment).filter(({ scope }) => scope !== 'local');
      const described = written.map(async ({ path, scope }) => ({
        path,
        scope,
        exists: await isThere(path),
      }));
      return { id, title, documentation, files: await Promise.all(described) };
    }),
  );
  if (json === true) return terminal.printJson({ clients });
  const { paint } = terminal;
  const width = Math.max(...clients.map(({ id }) => id.length));
  for (const { id, files } of clients) {
    const rows = [...files].sort((a, b) => Number(b.scope === 'user') - Number(a.scope === 'user'));
    rows.forEach(({ path, scope, exists }, index) => {
      const name = paint('bold', index === 0 ? id.padEnd(width) : ' '.repeat(width));
      const state = exists ? paint('green', 'found  ') : paint('dim', 'missing');
      terminal.print(`${name}  ${scope.padEnd(7)}  ${state}  ${shortPath(path, environment)}`);
    });
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
