import type { Server } from '@tenon/mcp-server';
import { z } from 'zod';
import { enumsForm, formWithDefaults } from '../forms.js';
import { sampleText } from '../sampled-text.js';

/** Tools that send input requests. */
export function addInputRequestTools(server: Server): void {
  server.tool(
    'test_sampling',
    {
      description: "Asks the client's model",
      input: z.object({ prompt: z.string().describe('What to ask') }),
    },
    async ({ prompt }, ctx) =>
      `LLM response: ${await sampleText(ctx, 'completion', { prompt, maxTokens: 100 })}`,
  );

  server.tool(
    'test_elicitation',
    {
      description: 'Asks the user for a name and an address',
      input: z.object({ message: z.string().describe('What to tell the user') }),
    },
    async ({ message }, ctx) => {
      const schema = z.object({
        username: z.string().describe("User's response"),
        email: z.string().describe("User's email address"),
      });
      const { action, content } = await ctx.elicit('account', { message, schema });
      return `User response: action=${action}, content=${JSON.stringify(content ?? {})}`;
    },
  );

  server.tool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks the user to fill in a form whose fields have defaults' },
    async (_input, ctx) => {
      const message = 'Please review and update the form fields with defaults';
      return answerText(await ctx.elicit('form', { message, schema: formWithDefaults }));
    },
  );

  server.tool(
    'test_elicitation_sep1330_enums',
    { description: 'Asks the user to choose, in every way a form can' },
    async (_input, ctx) => {
      const message = 'Please select options from the enum fields';
      return answerText(await ctx.elicit('choices', { message, schema: enumsForm }));
    },
  );

  server.tool(
    'test_streaming_elicitation',
    { description: 'Asks the user to go on, and reports progress' },
    async (_input, ctx) => {
      ctx.progress(1, 2);
      const { action } = await ctx.elicit('go_on', {
        message: 'Shall the tool go on?',
        schema: z.object({ ok: z.boolean() }),
      });
      ctx.progress(2, 2);
      return `The user said: ${action}`;
    },
  );

  server.tool(
    'test_missing_capability',
    { description: 'Needs a client that has a model' },
    async (_input, ctx) =>
      `LLM response: ${await sampleText(ctx, 'completion', { prompt: 'Say hello', maxTokens: 10 })}`,
  );
}

function answerText({ action, content }: { readonly action: string; readonly content?: unknown }): string {
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`;
}
