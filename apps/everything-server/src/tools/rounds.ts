import { randomUUID } from 'node:crypto';
import type { Context, Elicited, Server } from '@tenon/mcp-server';
import { z } from 'zod';
import { sampleText } from '../sampled-text.js';

const nameForm = z.object({ name: z.string() });
const colorForm = z.object({ color: z.string() });
const confirmForm = z.object({ ok: z.boolean() });

const france = { prompt: 'What is the capital of France?', maxTokens: 100 };

/** Tools with one or several rounds of input requests in the stateless revision, and live input requests in others. */
export function addRoundsTools(server: Server): void {
  server.tool(
    'test_input_required_result_elicitation',
    { description: 'Asks for a name and greets' },
    async (_input, ctx) => {
      const answer = await ctx.elicit('user_name', { message: 'What is your name?', schema: nameForm });
      return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : refused(answer);
    },
  );

  server.tool(
    'test_input_required_result_sampling',
    { description: "Asks the client's model" },
    async (_input, ctx) => `The model says: ${await sampleText(ctx, 'capital_question', france)}`,
  );

  server.tool(
    'test_input_required_result_list_roots',
    { description: 'Asks for the roots' },
    async (_input, ctx) => `Roots: ${await rootUris(ctx)}`,
  );

  server.tool(
    'test_input_required_result_request_state',
    { description: 'Keeps something in the state from round to round' },
    async (_input, ctx) => (await refusedConfirmation(ctx)) ?? 'state-ok',
  );

  server.tool(
    'test_input_required_result_tampered_state',
    { description: 'Refuses a state that was tampered with' },
    async (_input, ctx) => (await refusedConfirmation(ctx)) ?? 'The state came back as it was',
  );

  server.tool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three things at once' },
    async (_input, ctx) => {
      const [answer, greeting, roots] = await Promise.all([
        ctx.elicit('user_name', { message: 'What is your name?', schema: nameForm }),
        sampleText(ctx, 'greeting', { prompt: 'Generate a greeting', maxTokens: 50 }),
        rootUris(ctx),
      ]);
      const name = answer.action === 'accept' ? answer.content.name : 'stranger';
      return `${greeting}, ${name}! Roots: ${roots}`;
    },
  );

  server.tool(
    'test_input_required_result_multi_round',
    { description: 'Asks one thing after the other' },
    async (_input, ctx) => {
      const first = await ctx.elicit('step1', { message: 'Step 1: What is your name?', schema: nameForm });
      if (first.action !== 'accept') return refused(first);
      const second = await ctx.elicit('step2', {
        message: 'Step 2: What is your favorite color?',
        schema: colorForm,
      });
      return second.action === 'accept'
        ? `${first.content.name} likes ${second.content.color}`
        : refused(second);
    },
  );

  server.tool(
    'test_input_required_result_capabilities',
    { description: 'Asks only what the client can answer' },
    async (_input, ctx) => {
      const asked: Promise<unknown>[] = [];
      if (ctx.can('elicit')) {
        asked.push(ctx.elicit('user_name', { message: 'What is your name?', schema: nameForm }));
      }
      if (ctx.can('sample')) asked.push(sampleText(ctx, 'capital_question', france));
      if (ctx.can('roots')) asked.push(rootUris(ctx));
      return `Answers: ${JSON.stringify(await Promise.all(asked))}`;
    },
  );
}

/** Requests a confirmation; resolves with a text only if it was refused, or if the ticket was lost. */
async function refusedConfirmation(ctx: Context): Promise<string | undefined> {
  const ticket = await ctx.once('ticket', () => randomUUID());
  const answer = await ctx.elicit('confirm', { message: 'Please confirm', schema: confirmForm });
  if (answer.action !== 'accept') return refused(answer);
  return ticket === (await ctx.once('ticket', () => randomUUID())) ? undefined : 'The ticket got lost';
}

async function rootUris(ctx: Context): Promise<string> {
  const roots = await ctx.roots('client_roots');
  return roots.map((root) => root.uri).join(', ');
}

function refused({ action }: Pick<Elicited<typeof nameForm>, 'action'>): string {
  return `No answer: ${action}`;
}
