import type { Server } from '@tenon/mcp-server';
import { z } from 'zod';
import { redPixel } from './media.js';

const places = ['paris', 'park', 'party', 'port'];

/** Prompts with and without arguments, with content other than text, and one with an input request. */
export function addPrompts(server: Server): void {
  server.prompt(
    'test_simple_prompt',
    { description: 'A prompt without arguments' },
    () => 'This is a simple prompt for testing.',
  );

  server.prompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with two arguments',
      args: z.object({
        arg1: z.string().describe('First test argument'),
        arg2: z.string().describe('Second test argument'),
      }),
      complete: { arg1: (typed) => places.filter((place) => place.startsWith(typed)) },
    },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  );

  server.prompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt that carries a resource',
      args: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri: uri }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      userText('Please process the embedded resource above.'),
    ],
  );

  server.prompt('test_prompt_with_image', { description: 'A prompt that carries an image' }, () => [
    { role: 'user', content: { type: 'image', data: redPixel, mimeType: 'image/png' } },
    userText('Please analyze the image above.'),
  ]);

  server.prompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that asks the user what it is about' },
    async (_args, ctx) => {
      const answer = await ctx.elicit('user_context', {
        message: 'What context should the prompt use?',
        schema: z.object({ context: z.string() }),
      });
      return `Answer in this context: ${answer.action === 'accept' ? answer.content.context : 'none'}`;
    },
  );
}

function userText(text: string) {
  return { role: 'user', content: { type: 'text', text } } as const;
}
