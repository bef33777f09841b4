import { describe, expect, it } from 'vitest';
import { hosted, serverWith } from '../test/hosted.js';

describe('a host of three servers', () => {
  it('lists their tools in one order, and calls one by its name for models once the user agreed', async () => {
    const { host, questions, records } = hosted({
      notes: serverWith('write', 'read'),
      files: serverWith('read'),
      clock: serverWith('now'),
    });
    const names = (await host.tools()).map(({ name }) => name);
    expect(names).toEqual(['clock__now', 'files__read', 'notes__read', 'notes__write']);
    const result = await host.callTool(
      'notes__read',
      { page: 1 },
      { turn: 't1', callId: 'c1', way: 'model' },
    );
    expect(result.content).toEqual([{ type: 'text', text: 'read ran' }]);
    expect(questions).toMatchObject([
      { request: { kind: 'tool', server: 'notes', name: 'read', args: { page: 1 } } },
    ]);
    expect(
      records.map(({ outcome, decidedBy, turn, callId, input }) => [outcome, decidedBy, turn, callId, input]),
    ).toEqual([
      ['running', 'consent', 't1', 'c1', { page: 1 }],
      ['done', 'consent', 't1', 'c1', { page: 1 }],
    ]);
  });
});
