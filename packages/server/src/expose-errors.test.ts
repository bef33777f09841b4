import { describe, expect, test } from 'vitest';
import { everyRevision, WirePeer } from '../test/wire-peer.js';
import type { ServerOptions } from './options.js';
import { ToolError } from './results/tool-result.js';
import { createServer } from './server.js';

const secret = 'Bearer abcdefghijklmnopqrstuvwxyz012345';

function failing(options: ServerOptions) {
  const reports: unknown[] = [];
  const server = createServer(
    { name: 'test', version: '1' },
    { onError: (error) => reports.push(error), ...options },
  )
    .tool('search', {}, () => {
      throw Object.assign(new Error(`The index is offline: ${secret}`), { data: { host: 'db-7' } });
    })
    .tool('odd', {}, () => {
      throw 'not an error';
    })
    .tool('told', {}, () => {
      throw new ToolError('There is no index.');
    })
    .prompt('p', {}, () => {
      throw new Error('The template is broken.');
    })
    .resource('note:1', {}, () => {
      throw new Error('The disk is full.');
    });
  return { server, reports };
}

describe.each(everyRevision)('an error that a handler throws in $id', (revision) => {
  const textOf = async (peer: WirePeer, name: string) => {
    const { result } = await peer.request('tools/call', { name });
    expect(result?.isError).toBe(true);
    return result?.content?.[0]?.text;
  };

  test('is hidden by default: the result names the tool, and ToolError', async () => {
    const { server, reports } = failing({});
    const peer = await WirePeer.open(server, revision, {});
    expect(await textOf(peer, 'search')).toBe(
      'The tool "search" failed. (Authors: throw ToolError to tell the model why, or set exposeErrors.)',
    );
    expect(reports).toMatchObject([{ message: `The index is offline: ${secret}` }]);
    expect(await textOf(peer, 'told')).toBe('There is no index.');
    const hidden = { code: -32_603, message: 'Internal error' };
    expect((await peer.request('prompts/get', { name: 'p' })).error).toEqual(hidden);
    expect((await peer.request('resources/read', { uri: 'note:1' })).error).toEqual(hidden);
  });

  test('is shown with exposeErrors: its redacted message, and neither stack nor data', async () => {
    const { server, reports } = failing({ exposeErrors: true });
    const peer = await WirePeer.open(server, revision, {});
    expect(await textOf(peer, 'search')).toBe(
      'The tool "search" failed: The index is offline: Bearer [redacted]',
    );
    expect(await textOf(peer, 'odd')).toMatch(/^The tool "odd" failed\. \(Authors/);
    const { error: ofPrompt } = await peer.request('prompts/get', { name: 'p' });
    expect(ofPrompt).toEqual({ code: -32_603, message: 'The template is broken.' });
    const { error: ofResource } = await peer.request('resources/read', { uri: 'note:1' });
    expect(ofResource).toEqual({ code: -32_603, message: 'The disk is full.' });
    expect(reports).toHaveLength(4);
  });
});
