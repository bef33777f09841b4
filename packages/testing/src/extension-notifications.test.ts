import { defineExtension, listen } from '@tenon/mcp-client/extension';
import { defineNotification } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { defineExtension as defineServerExtension, type ExtensionHost } from '@tenon/mcp-server/extension';
import { expect, it } from 'vitest';
import { connectTest } from './index.js';

const id = 'com.example/review';
const decided = defineNotification('notifications/com.example.review/decided');

it.each(['2025-11-25', '2026-07-28'])(
  'a notification that an extension publishes reaches a client that watches its filter in %s',
  async (revision) => {
    let host: ExtensionHost | undefined;
    const extension = defineServerExtension({
      id,
      filters: { reviews: { check: () => undefined } },
      start: (given) => {
        host = given;
      },
    });
    const server = createServer({ name: 'drafts', version: '1' }, { extensions: [extension] });
    let arrived: (params: unknown) => void = () => {};
    const arrival = new Promise((resolve) => {
      arrived = resolve;
    });
    const extensions = [
      defineExtension({
        id,
        filters: ['reviews'],
        notifications: [listen(decided, (params) => arrived(params))],
      }),
    ];
    const { client, close } = await connectTest(server, { revision, client: { extensions } });
    await client.watch({ filters: { reviews: true } }, () => {});
    await host?.publish(decided, { tool: 'draft' });
    expect(await arrival).toMatchObject({ tool: 'draft' });
    await close();
  },
);
