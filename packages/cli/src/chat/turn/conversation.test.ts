import { PassThrough } from 'node:stream';
import { createHost } from '@tenon/mcp-host';
import { scriptedModel } from '@tenon/mcp-host/models';
import { expect, it, onTestFinished } from 'vitest';
import { Terminal } from '../../terminal/terminal.js';
import { Interrupts } from '../screen/interrupts.js';
import { Screen } from '../screen/screen.js';
import { Conversation } from './conversation.js';
import { ToolRuns } from './tool-runs.js';

/** A conversation with a host without servers, and a model that answers each message. */
function started() {
  const [input, output, error] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let notes = '';
  error.on('data', (chunk: Buffer) => {
    notes += chunk.toString();
  });
  const screen = new Screen(new Terminal({ input, output, error, env: {}, cwd: '/' }), () => undefined);
  const host = createHost({ info: { name: 'test', version: '1' }, servers: {} });
  onTestFinished(() => host.close());
  const model = scriptedModel(() => 'Yes.');
  const conversation = new Conversation({
    ...{ host, model, screen },
    runs: new ToolRuns(() => host, screen),
    interrupts: new Interrupts(input),
    signal: new AbortController().signal,
  });
  let released = 0;
  const skill = { content: 'Use hot water.', release: () => void released++ };
  return {
    ...{ conversation, model, skill },
    released: () => released,
    /** Returns the notes since the last call, in one line. */
    notes() {
      const text = notes.replaceAll(/\s+/g, ' ');
      notes = '';
      return text;
    },
  };
}

const isFull = /conversation is full.*Write \/clear/;
const tooLong = 'x'.repeat(4_000_000);

it('accepts nothing more once the conversation is full, until /clear', async () => {
  const { conversation, model, skill, released, notes } = started();
  await conversation.turn(tooLong);
  expect(notes()).toMatch(isFull);
  await conversation.turn('Hello?');
  expect(notes()).toMatch(isFull);
  expect(() => conversation.addSkill(skill)).toThrow(isFull);
  expect([released(), model.requests.length]).toEqual([1, 0]);
  conversation.clear();
  await conversation.turn('Hello?');
  expect(model.requests.map(({ messages }) => messages)).toEqual([
    [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
  ]);
});

it('accepts as many skills as a conversation may have', async () => {
  const { conversation, model, skill, released } = started();
  for (let count = 1; count <= 20; count++) conversation.addSkill(skill);
  expect(() => conversation.addSkill(skill)).toThrow(/20 skills already. Write \/clear/);
  await conversation.turn('Tea?');
  expect([model.requests[0]?.messages.length, released()]).toEqual([21, 1]);
});
