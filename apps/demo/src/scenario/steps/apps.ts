import { extensionId, readApp, toolUi } from '@tenon/mcp-apps/client';
import type { expectations } from '../expectations.js';
import type { Steps } from '../stage/stage.js';
import type { NotesClient } from '../transports/transports.js';
import { textOfResult } from './outcomes.js';

/** MCP Apps: the result of one tool as a user interface, and as text. */
export const appSteps: Steps<typeof expectations.apps> = {
  'in a host with apps': ({ client }) => shown(client),
  'in other hosts': ({ plain }) => shown(plain.client),
};

/** Returns the form in which a host shows the result of a search. */
async function shown(client: NotesClient): Promise<string> {
  const search = (await client.tools().all()).find(({ name }) => name === 'search');
  const { uri } = toolUi(search ?? {});
  const result = await client.callTool('search', { query: 'bench' });
  if (client.extension(extensionId) === undefined || uri === undefined)
    return JSON.parse(textOfResult(result)).total > 0 ? 'as text' : textOfResult(result);
  const { html } = await readApp(client, uri);
  return html.includes('<title>Search results</title>') ? 'as ui' : html;
}
