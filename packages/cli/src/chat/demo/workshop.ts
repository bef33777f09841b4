import { setTimeout } from 'node:timers/promises';
import { createServer, type Server } from '@tenon/mcp-server';
import { pngChart } from './png-chart.js';

/** Milliseconds of one step of `brew`. */
const step = 700;
const mostBars = 24;

/** Returns a server with a tool for each thing that a host shows. */
export function workshop(): Server {
  const server = createServer(
    { name: 'workshop', version: '1.0.0' },
    { instructions: 'The workshop brews tea, forecasts the weather and draws charts.' },
  )
    .tool(
      'forecast',
      {
        description: 'Returns the weather of a city for tomorrow.',
        input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        annotations: { readOnlyHint: true },
      },
      ({ city }) => `Tomorrow in ${city}: light rain in the morning, 14 degrees in the afternoon.`,
    )
    .tool(
      'chart',
      {
        description: 'Draws a bar for each number.',
        input: { type: 'object', properties: { numbers: { type: 'string' } }, required: ['numbers'] },
        annotations: { readOnlyHint: true },
      },
      ({ numbers }) => {
        const values = (numbers.match(/\d+(?:\.\d+)?/g) ?? ['1']).slice(0, mostBars).map(Number);
        const data = Buffer.from(pngChart(values)).toString('base64');
        return [
          { type: 'text', text: `A chart of ${values.join(', ')}.` },
          { type: 'image', data, mimeType: 'image/png' },
        ];
      },
    );
  addInputTools(server);
  return server;
}

function addInputTools(server: Server): void {
  server
    .tool('order', { description: 'Orders tea. The server asks for the address.' }, async (_, ctx) => {
      const answer = await ctx.elicit('address', {
        message: 'Where does your tea go?',
        schema: {
          type: 'object',
          properties: {
            city: { type: 'string', title: 'City', minLength: 2 },
            cups: { type: 'integer', title: 'Cups', minimum: 1, maximum: 9, default: 2 },
            kind: { type: 'string', title: 'Kind', enum: ['green', 'black', 'herbal'] },
            gift: { type: 'boolean', title: 'As a gift', default: false },
          },
          required: ['city', 'cups', 'kind'],
        },
      });
      if (answer.action !== 'accept') return 'Nothing was ordered.';
      const { city, cups, kind, gift } = answer.content;
      return `${cups} cups of ${kind} tea go to ${city}${gift === true ? ' as a gift' : ''}.`;
    })
    .tool(
      'brew',
      {
        description: 'Brews tea, and reports its progress.',
        input: { type: 'object', properties: { minutes: { type: 'integer', minimum: 1, maximum: 60 } } },
      },
      async ({ minutes = 5 }, ctx) => {
        for (let minute = 1; minute <= minutes; minute++) {
          await setTimeout(step, undefined, { signal: ctx.signal });
          ctx.progress(minute, minutes, 'the tea is brewing');
        }
        return 'The tea is ready.';
      },
    )
    .tool(
      'write_slogan',
      {
        description: 'Writes a slogan with the model of the client.',
        input: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
      },
      async ({ topic }, ctx) => {
        const messages = [
          { role: 'user', content: { type: 'text', text: `Write a slogan ${topic}, please.` } },
        ] as const;
        const { content } = await ctx.sample('slogan', {
          messages,
          maxTokens: 60,
          systemPrompt: 'You write slogans.',
        });
        const [block] = [content].flat();
        return block?.type === 'text' ? block.text : 'The model wrote no text.';
      },
    )
    .tool(
      'pay_invoice',
      {
        description: 'Sends you to the page where an invoice is paid.',
        input: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
        annotations: { destructiveHint: true },
      },
      async ({ number }, ctx) => {
        const { action } = await ctx.elicitUrl('page', {
          message: `Invoice ${number} is paid at the bank.`,
          url: `https://pay.example/invoices/${number}?currency=eur`,
        });
        return action === 'accept'
          ? `You agreed to visit the page of invoice ${number}.`
          : `Invoice ${number} was not paid.`;
      },
    )
    .tool('list_folders', { description: 'Lists the folders that you show to servers.' }, async (_, ctx) => {
      const list = await ctx.roots('folders');
      return list.length === 0 ? 'You show no folders.' : list.map(({ uri }) => uri).join('\n');
    });
}
