import type { expectations } from '../expectations.js';
import type { Steps } from '../stage/stage.js';
import { refusal } from './outcomes.js';

/** Prompts, and completion of their arguments. */
export const promptSteps: Steps<typeof expectations.prompts> = {
  'prompts/list': async ({ client }) => `${(await client.prompts().all()).length} listed`,
  'prompts/get': async ({ client }) => {
    const { messages } = await client.getPrompt('review', { note: 'poems' });
    const [question, note] = messages.map(({ content }) => content);
    if (question?.type !== 'text' || note?.type !== 'resource') return JSON.stringify(messages);
    return note.resource.uri === 'notes://poems' ? `${messages.length} parts` : note.resource.uri;
  },
  'unknown prompt': ({ client }) => refusal(client.request('prompts/get', { name: 'burn' }), 'burn'),
  completion: async ({ client }) => {
    const ref = { type: 'ref/resource', uri: 'notes://{name}' } as const;
    const { values } = await client.complete({ ref, argument: { name: 'name', value: 'p' } });
    return `${values.length} names`;
  },
  'completion context': async ({ client }) => {
    const { values } = await client.complete({
      ref: { type: 'ref/prompt', name: 'continue' },
      argument: { name: 'heading', value: '' },
      context: { arguments: { note: 'joinery' } },
    });
    return values.length === 0 ? '– ignored' : `${values.length} names`;
  },
};
