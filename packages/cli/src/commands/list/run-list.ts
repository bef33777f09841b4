import { readCatalog } from '@tenon/mcp-workbench';
import { type ServerLine, withClient } from '../../server/with-client.js';

/** Prints all that a server offers. */
export async function runList(line: ServerLine): Promise<void> {
  await withClient(line, async ({ client }) => {
    const catalog = await readCatalog(client, { signal: line.signal });
    if (line.options.json) {
      line.terminal.printJson(catalog);
      return;
    }
    for (const { name } of catalog.tools) line.terminal.print(name);
  });
}
