import { tookKey } from '../../notes/timing.js';
import type { expectations } from '../expectations.js';
import type { Stage, Steps } from '../stage/stage.js';
import { refusal, share, textOfResult } from './outcomes.js';

/** Tools: their descriptions, results and errors. */
export const toolSteps: Steps<typeof expectations.tools> = {
  'tools/list': async (stage) => `${(await tools(stage)).length} listed`,
  titles: async (stage) => share(await tools(stage), ({ title }) => title !== undefined),
  annotations: async (stage) => share(await tools(stage), ({ annotations }) => annotations !== undefined),
  'output schemas': async (stage) =>
    share(await tools(stage), ({ outputSchema }) => outputSchema !== undefined),
  icons: async (stage) => share(await tools(stage), ({ icons }) => icons !== undefined),
  'tools/call': async ({ client }) => {
    const { content } = await client.callTool('create', { name: 'ideas', text: '# Ideas\n' });
    const [first] = content;
    return first?.type === 'text' && first.text === 'Created "ideas".' ? 'created' : JSON.stringify(first);
  },
  'resource link': async ({ client }) => {
    await client.callTool('delete', { name: 'ideas', confirmed: true });
    const { content } = await client.callTool('create', { name: 'ideas', text: '# Ideas\n' });
    const link = content[1];
    if (link?.type === 'text' && link.text.includes('notes://ideas')) return '– as text';
    return link?.type === 'resource_link' ? link.name : JSON.stringify(link);
  },
  'structured output': async ({ client }) => {
    const { structuredContent } = await client.callTool('search', { query: 'bench' });
    return structuredContent === undefined ? '– as text' : `${structuredContent.total} found`;
  },
  'output as text': async ({ client }) => {
    const { total } = JSON.parse(textOfResult(await client.callTool('search', { query: 'bench' })));
    return `${total} found`;
  },
  'bad input': ({ client }) =>
    refusal(client.request('tools/call', { name: 'search', arguments: { query: 7 } }), 'query'),
  'tool error': ({ client }) => refusal(client.callTool('summarise', { name: 'nowhere' }), '"nowhere"'),
  'unknown tool': ({ client }) => refusal(client.request('tools/call', { name: 'shred' }), 'shred'),
  'server middleware': async ({ client }) => {
    const { _meta } = await client.callTool('search', { query: 'bench' });
    return typeof _meta?.[tookKey] === 'number' ? 'timed' : 'untimed';
  },
};

function tools({ client }: Stage) {
  return client.tools().all();
}
