import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

const png = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' } as const;
const plan = {
  type: 'resource',
  resource: { uri: 'plan://a', mimeType: 'text/plain', text: 'Cut.' },
} as const;

function bench() {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} });
  return server
    .prompt('show', { description: 'Shows a joint' }, () => [
      { role: 'user', content: png },
      { role: 'assistant', content: plan },
    ])
    .prompt(
      'explain',
      { args: z.object({ joint: z.string(), wood: z.string().optional() }) },
      ({ joint }) => joint,
    )
    .prompt('crash', {}, () => {
      throw new Error('The password is swordfish.');
    });
}

requirement(
  [
    '2024-11-05/server/prompts/image-encoded',
    '2024-11-05/server/prompts/resource-uri',
    '2024-11-05/server/prompts/resource-mime-type',
    '2024-11-05/server/prompts/resource-contents',
    '2024-11-05/server/prompts/message',
    '2025-03-26/prompts/messages',
    '2025-03-26/prompts/message-members',
  ],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const { messages } = await client.getPrompt('show');
    expect(messages).toEqual([
      { role: 'user', content: png },
      { role: 'assistant', content: plan },
    ]);
    expect(wire.answer('prompts/get').result).toMatchObject({ description: 'Shows a joint', messages });
  },
);

requirement(
  [
    '2024-11-05/server/prompts/unknown-name',
    '2024-11-05/server/prompts/missing-arguments',
    '2024-11-05/server/prompts/arguments-validated',
    '2024-11-05/server/prompts/inputs-and-outputs',
    '2025-11-25-server-features/prompts/get',
    '2025-11-25-server-features/prompts/errors',
    '2025-03-26/errors/invalid-params',
  ],
  {},
  async ({ serve }) => {
    const { client } = await serve(bench());
    const get = (params: object) => client.request('prompts/get', params as { name: string });
    await expect(get({ name: 'nobody' })).rejects.toMatchObject({ code: -32_602 });
    await expect(get({ name: 'explain' })).rejects.toMatchObject({ code: -32_602 });
    await expect(get({ name: 'explain', arguments: { joint: 1 } })).rejects.toMatchObject({ code: -32_602 });
    expect(await get({ name: 'explain', arguments: { joint: 'tenon' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'tenon' } }],
    });
  },
);

requirement(
  [
    '2024-11-05/server/prompts/internal-errors',
    '2025-11-25-server-features/prompts/errors',
    '2025-03-26/errors/internal-error',
  ],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    await expect(client.getPrompt('crash')).rejects.toMatchObject({ code: -32_603 });
    expect(JSON.stringify(wire.frames)).not.toContain('swordfish');
  },
);
