import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { expectations } from '../expectations.js';
import type { Stage, Steps } from '../stage/stage.js';
import { writeTrees } from './import-files.js';
import { refusal, textOfResult } from './outcomes.js';

/** Input requests of the server to the user, the model and the client. */
export const inputRequestSteps: Steps<(typeof expectations)['input requests']> = {
  'elicit, accept': (stage) => replace(stage, 'accept'),
  'elicit, decline': (stage) => replace(stage, 'decline'),
  'elicit by URL': async ({ client }) => {
    const answer = textOfResult(await client.callTool('share', { name: 'poems' }));
    if (answer.startsWith('This client cannot open pages')) return '– cannot ask';
    return answer === 'The user went to the page.' ? 'visited' : answer;
  },
  sampling: async ({ client }) => {
    const answer = textOfResult(await client.callTool('summarise', { name: 'poems' }));
    return `${answer.split(' ').length} words`;
  },
  roots: async ({ client, rootFolder }) => {
    const file = await writeTrees(rootFolder);
    const answer = textOfResult(await client.callTool('import', { file }));
    return answer === 'Imported 3 notes.' ? '3 notes' : answer;
  },
  'outside of roots': ({ client, folder }) => {
    const file = pathToFileURL(join(folder, 'poems.md')).href;
    return refusal(client.callTool('import', { file }), 'not a file inside');
  },
  'client middleware': async (stage) => {
    const { user } = stage;
    const before = user.requests.length;
    await replace(stage, 'accept');
    const seen = user.requests.slice(before);
    const from = (side: string) => seen.filter((request) => request.from === side).length;
    return `${from('client')}↑ ${from('server')}↓`;
  },
};

/** Replaces a note, and checks its file in addition to the answer. */
async function replace({ client, folder, user }: Stage, decision: 'accept' | 'decline'): Promise<string> {
  const file = join(folder, 'ideas.md');
  const before = await readFile(file, 'utf8');
  const text = `${before}- ${decision}\n`;
  user.decision = decision;
  const result = await client.callTool('edit', { name: 'ideas', text, mode: 'replace' });
  user.decision = 'accept';
  const after = await readFile(file, 'utf8');
  const answer = textOfResult(result);
  if (result.isError && answer.includes('cannot ask the user') && after === before) return '– cannot ask';
  if (answer === 'Replaced "ideas".' && after === text) return 'replaced';
  return answer.includes('declined') && after === before ? 'kept' : answer;
}
