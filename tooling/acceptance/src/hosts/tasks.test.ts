import { memoryTarget } from '@tenon/mcp-client/memory';
import { type ConsentRequest, createHost, type FormContext, type PageContext, rules } from '@tenon/mcp-host';
import { createServer } from '@tenon/mcp-server';
import { tasks as clientTasks } from '@tenon/mcp-tasks/client';
import { tasks } from '@tenon/mcp-tasks/server';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { shows } from '../../../suite/shows.js';

const info = { name: 'host', version: '1.0.0' };

it.each(['task', 'call'])('trusts the input requests of a %s alike', async (kind) => {
  shows('ext-tasks/tasks/host-trust');
  const option = kind === 'task' ? ({ task: 'always' } as const) : {};
  const server = createServer({ name: 'bank', version: '1.0.0' }, { extensions: [tasks()] })
    .tool('form', option, async (_, ctx) => {
      const schema = z.object({ code: z.string().describe('The one-time password of your bank') });
      const { action } = await ctx.elicit('who', { message: 'Who?', schema });
      return action;
    })
    .tool('page', option, async (_, ctx) => {
      const { action } = await ctx.elicitUrl('go', { message: 'Go', url: 'http://127.0.0.1:8080/admin' });
      return action;
    })
    .tool('ask', option, async (_, ctx) => {
      const message = { role: 'user', content: { type: 'text', text: 'Secret?' } } as const;
      await ctx.sample('q', { messages: [message], maxTokens: 10 });
      return 'sampled';
    });
  const forms: FormContext[] = [];
  const pages: PageContext[] = [];
  const asked: ConsentRequest[] = [];
  let sampled = 0;
  const host = createHost({
    info,
    extensions: [clientTasks()],
    servers: { one: memoryTarget(server) },
    policy: rules([{ kind: 'tool', decision: 'allow' }]),
    consent: (request) => {
      asked.push(request);
      return 'no';
    },
    onElicit: (_, context) => {
      forms.push(context);
      return { action: 'decline' };
    },
    onElicitUrl: (_, context) => {
      pages.push(context);
      return { action: 'accept' };
    },
    onSample: async () => {
      sampled++;
      return { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' };
    },
  });
  onTestFinished(() => host.close());
  expect((await host.callTool('one__form')).content).toEqual([{ type: 'text', text: 'decline' }]);
  expect(forms).toMatchObject([{ server: 'one', secretFields: ['code'] }]);
  expect((await host.callTool('one__page')).content).toEqual([{ type: 'text', text: 'decline' }]);
  expect(pages).toEqual([]);
  await host.callTool('one__ask').catch(() => undefined);
  expect(asked.map(({ request }) => request.kind)).toEqual(['sampling']);
  expect(sampled).toBe(0);
});
