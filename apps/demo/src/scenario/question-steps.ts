import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeTrees } from './desk-files.js';
import type { expectations } from './expectations.js';
import { refusal, said } from './outcomes.js';
import type { Stage, Steps } from './stage.js';

/** What the server asks of the user, the model and the client before it goes on. */
export const questionSteps: Steps<typeof expectations.questions> = {
  'elicit, accept': (stage) => replace(stage, 'accept'),
  'elicit, decline': (stage) => replace(stage, 'decline'),
  'elicit by URL': async ({ client }) => {
    const answer = said(await client.callTool('share', { name: 'poems' }));
    if (answer.startsWith('This client opens no pages')) return '– cannot ask';
    return answer === 'The user went to the page.' ? 'visited' : answer;
  },
  sampling: async ({ client }) => {
    const answer = said(await client.callTool('summarise', { name: 'poems' }));
    return `${answer.split(' ').length} words`;
  },
  roots: async ({ client, desk }) => {
    const file = await writeTrees(desk);
    const answer = said(await client.callTool('import', { file }));
    return answer === 'Imported 3 notes.' ? '3 notes' : answer;
  },
  'outside of roots': ({ client, folder }) => {
    const file = pathToFileURL(join(folder, 'poems.md')).href;
    return refusal(client.callTool('import', { file }), 'no file inside');
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

/** What became of a note that was to be replaced: looked up in its file, not only in the answer. */
async function replace({ client, folder, user }: Stage, mood: 'accept' | 'decline'): Promise<string> {
  const file = join(folder, 'ideas.md');
  const before = await readFile(file, 'utf8');
  const text = `${before}- ${mood}\n`;
  user.mood = mood;
  const result = await client.callTool('edit', { name: 'ideas', text, mode: 'replace' });
  user.mood = 'accept';
  const after = await readFile(file, 'utf8');
  const answer = said(result);
  if (result.isError && answer.includes('cannot be asked') && after === before) return '– cannot ask';
  if (answer === 'Replaced "ideas".' && after === text) return 'replaced';
  return answer.includes('declined') && after === before ? 'kept' : answer;
}
