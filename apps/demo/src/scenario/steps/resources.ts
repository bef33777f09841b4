import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Change, textOf, type WatchFilter } from '@tenon/mcp-client';
import type { expectations } from '../expectations.js';
import type { Stage, Steps } from '../stage/stage.js';
import type { NotesClient } from '../transports/transports.js';
import { writeTrees } from './import-files.js';
import { refusal } from './outcomes.js';

/** Resources: reading them, and notifications of changes. */
export const resourceSteps: Steps<typeof expectations.resources> = {
  'resources/list': (stage) => listed(stage),
  pagination: async ({ client }) => {
    let pages = 0;
    let cursor: string | undefined;
    do {
      const { nextCursor } = await client.resources().page(cursor);
      cursor = nextCursor;
      pages++;
    } while (cursor !== undefined);
    return `${pages} pages`;
  },
  templates: async ({ client }) => {
    const templates = await client.resourceTemplates().all();
    return `${templates.filter(({ uriTemplate }) => uriTemplate === 'notes://{name}').length} listed`;
  },
  'resources/read': async ({ client }) => {
    const { contents } = await client.readResource('notes://groceries');
    if (contents[0]?.mimeType !== 'text/markdown') return JSON.stringify(contents);
    return `${textOf(contents).trimEnd().split('\n').length} lines`;
  },
  'not found': ({ client }) => refusal(client.readResource('notes://nowhere'), 'not found'),
  'path traversal': async ({ client, rootFolder }) => {
    await writeTrees(rootFolder);
    return refusal(client.readResource('notes://..%2Fdesk%2Ftrees'), 'not found');
  },
  'resource updated': async ({ client, folder }) => {
    const edit = () => appendFile(join(folder, 'plans.md'), '- oil the bench\n');
    const change = await changeAfter(client, { uris: ['notes://plans'] }, edit);
    if (change.kind !== 'resource') return change.kind;
    const { contents } = await client.readResource(change.uri);
    return textOf(contents).includes('oil') ? change.uri.slice(8) : 'stale';
  },
  'list changed': async (stage) => {
    const drop = () => writeFile(join(stage.folder, 'recipes.md'), '# Recipes\n');
    const { kind } = await changeAfter(stage.client, { resources: true }, drop);
    return kind === 'resources' ? listed(stage) : kind;
  },
};

async function listed({ client }: Stage): Promise<string> {
  return `${(await client.resources().all()).length} found`;
}

/** Returns the first change received after an action. */
async function changeAfter(
  client: NotesClient,
  filter: WatchFilter,
  act: () => Promise<void>,
): Promise<Change> {
  let tell: (change: Change) => void = () => {};
  const message = new Promise<Change>((resolve) => {
    tell = resolve;
  });
  const watch = await client.watch(filter, tell);
  await act();
  const change = await message;
  await watch.close();
  return change;
}
