import { describe, expect, it } from 'vitest';
import { everyRevision, WirePeer } from '../../test/wire-peer.js';
import type { ListedMembers } from '../core/capabilities.js';
import { createServer } from '../server.js';
import { defineExtension } from './define-extension.js';
import type { ToolOption } from './offered.js';

const info = { name: 'test', version: '1' };
type Support = 'optional' | 'required';

function withOption(id: string, name: string, entry: ToolOption<Support>['entry']) {
  return defineExtension<string, { [Name in string]: Support }>({
    id,
    toolOptions: { [name]: { ...(entry && { entry }) } },
  });
}

const execution = (taskSupport: Support): ListedMembers => ({ execution: { taskSupport } });

it.each(everyRevision)('lists members that follow from a tool option in $id', async (revision) => {
  const extensions = [withOption('com.example/jobs', 'job', execution)];
  const server = createServer(info, { extensions })
    .tool('plain', {}, () => '')
    .tool('long', { job: 'required' }, () => '');
  const peer = await WirePeer.open(server, revision);
  const listed = (await peer.request('tools/list')).result?.tools?.map((tool) => tool.execution);
  expect(listed).toEqual([undefined, revision.rules.tasks ? { taskSupport: 'required' } : undefined]);
});

describe('a tool option', () => {
  it('is rejected if it sets another member of the tool', () => {
    const extensions = [withOption('com.example/jobs', 'job', () => ({ title: 'x' }) as never)];
    expect(() => createServer(info, { extensions }).tool('long', { job: 'required' }, () => '')).toThrow(
      'Tool "long": the option "job" sets "title" of the listed tool, which the options of every tool decide.',
    );
  });

  it('is rejected if it sets a member to a value that is not an object', () => {
    const extensions = [withOption('com.example/jobs', 'job', () => ({ execution: 'required' }) as never)];
    expect(() => createServer(info, { extensions }).tool('long', { job: 'required' }, () => '')).toThrow(
      'the option "job" sets "execution" to required: use an object.',
    );
  });

  it('is rejected if another option sets the same member', () => {
    const extensions = [
      withOption('com.example/jobs', 'job', execution),
      withOption('com.example/other', 'other', execution),
    ];
    const server = createServer(info, { extensions });
    expect(() => server.tool('long', { job: 'required', other: 'optional' }, () => '')).toThrow(
      'the option "other" sets "execution" of the listed tool, as another option does: use one of them.',
    );
    expect(() => server.tool('long', { other: 'optional' }, () => '')).not.toThrow();
  });
});
