import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelReply, ModelRequest } from '../model.js';
import { scriptedModel } from './scripted-model.js';

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const saying = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [user(text)],
  tools: [],
  toolChoice: 'auto',
  ...more,
});
const tool = (name: string, properties: object = {}, required: readonly string[] = []) => ({
  name: `srv_${name}`,
  server: 'srv',
  tool: { name, inputSchema: { type: 'object', properties, required } },
});
const number = { type: 'number' };
const text = { type: 'string' };
const tools = [
  tool('add', { a: number, b: number }, ['a', 'b']),
  tool('read_file', { path: text, lines: { type: 'integer' } }, ['path']),
  tool('setLight', { on: { type: 'boolean' }, colour: { enum: ['red', 'green'] } }, ['on']),
  tool('search', { query: text, filter: { type: 'object' } }, ['query']),
];

describe('a script', () => {
  it('replies by the last message, and by plain replies in turn', async () => {
    const model = scriptedModel([
      { when: 'weather', reply: { text: 'One moment.', calls: [{ name: 'forecast', args: { days: 1 } }] } },
      { when: /\b\d+ degrees/, reply: ({ messages }) => `Warm (${messages.length}).` },
      'First.',
      { text: 'Second.', stopReason: 'maxTokens' },
    ]);
    expect(await model.reply(saying('The WEATHER?'))).toMatchObject({
      content: [
        { type: 'text', text: 'One moment.' },
        { type: 'tool_call', id: 'call_1', name: 'forecast', args: { days: 1 } },
      ],
      stopReason: 'toolUse',
    });
    const result = {
      type: 'tool_result',
      id: 'call_1',
      content: [{ type: 'text', text: '21 degrees' }],
    } as const;
    const after = await model.reply({ ...saying(''), messages: [{ role: 'user', content: [result] }] });
    expect(after.content).toEqual([{ type: 'text', text: 'Warm (1).' }]);
    expect((await model.reply(saying('Else'))).content).toEqual([{ type: 'text', text: 'First.' }]);
    expect(await model.reply(saying('Else'))).toMatchObject({ stopReason: 'maxTokens' });
    await expect(model.reply(saying('Else'))).rejects.toMatchObject({
      name: 'ModelError',
      message: expect.stringContaining('no reply to "Else"'),
    });
    expect(model.requests).toHaveLength(5);
  });

  it('streams words, and stops when the signal aborts', async () => {
    const words: string[] = [];
    const stop = new AbortController();
    const model = scriptedModel(['One two  three']);
    const reply = model.reply(saying(''), {
      signal: stop.signal,
      onText: (word) => {
        words.push(word);
        if (words.length === 2) stop.abort('enough');
      },
    });
    await expect(reply).rejects.toMatchObject({ reason: 'cancelled', cause: 'enough' });
    expect(words.join('')).toBe('One two  ');
  });
});

describe('the demo', () => {
  const called = async (words: string, more: Partial<ModelRequest> = {}) => {
    const { content } = await scriptedModel().reply(saying(words, { tools, ...more }));
    return content.flatMap((block) => (block.type === 'tool_call' ? [[block.name, block.args]] : []));
  };
  const said = ({ content }: ModelReply) =>
    content.map((block) => ('text' in block ? block.text : '')).join();

  it.each([
    ['call add a=1 b=2', 'srv_add', { a: 1, b: 2 }],
    ['call srv_add b: 2, a: 1', 'srv_add', { a: 1, b: 2 }],
    ['call add {"a": 1, "b": 2.5}', 'srv_add', { a: 1, b: 2.5 }],
    ['Please add 1 and -2.5!', 'srv_add', { a: 1, b: -2.5 }],
    ['read the file /etc/hosts', 'srv_read_file', { path: '/etc/hosts' }],
    ['read 5 lines of the file "my notes.txt"', 'srv_read_file', { path: 'my notes.txt', lines: 5 }],
    ['set the light on=true to green', 'srv_setLight', { on: true, colour: 'green' }],
    ['search for red apples', 'srv_search', { query: 'red apples' }],
    ['call search query="a b" filter={"n":1}', 'srv_search', { query: 'a b', filter: { n: 1 } }],
  ])('understands %s', async (words, name, args) => {
    expect(await called(words)).toEqual([[name, args]]);
  });

  it('replies the same to the same words', async () => {
    expect(await called('add 1 and 2')).toEqual(await called('add 1 and 2'));
  });

  it('names its tools when the words name none, and the missing arguments when they are too few', async () => {
    const model = scriptedModel();
    expect(said(await model.reply(saying('Hello', { tools })))).toContain(
      'I can call srv_add, srv_read_file',
    );
    expect(said(await model.reply(saying('add 1', { tools })))).toBe(
      'srv_add needs b. Say for example: call srv_add a=... b=...',
    );
    expect(said(await model.reply(saying('Hello')))).toContain('no tools');
  });

  it('keeps to the tool choice', async () => {
    expect(await called('add 1 and 2', { toolChoice: 'none' })).toEqual([]);
    expect(await called('Hello', { toolChoice: 'required' })).toHaveLength(1);
  });

  it('says what the tools returned, within bounds', async () => {
    const call = (id: string, name: string) => ({ type: 'tool_call', id, name, args: {} }) as const;
    const result = (id: string, content: string, isError = false) =>
      ({ type: 'tool_result', id, isError, content: [{ type: 'text', text: content }] }) as const;
    const image = { type: 'image', data: 'aW1n', mimeType: 'image/png' } as const;
    const messages: readonly ModelMessage[] = [
      user('add 1 and 2'),
      { role: 'assistant', content: [call('c1', 'add'), call('c2', 'draw'), call('c3', 'dump')] },
      {
        role: 'user',
        content: [
          result('c1', '3'),
          { type: 'tool_result', id: 'c2', content: [image], isError: true },
          result('c3', 'x'.repeat(9_000)),
        ],
      },
    ];
    const lines = said(await scriptedModel().reply({ ...saying(''), tools, messages })).split('\n');
    expect(lines.slice(0, 2)).toEqual(['add returned: 3', 'draw failed: [image]']);
    expect(lines[2]?.length).toBeLessThan(2_100);
  });
});

it.each([
  [[() => 'text'], 'entry 1 of the script must be a text, a reply or a step'],
  [['text', { cals: [] }], 'entry 2 of the script: there is no option "cals"'],
  [[{ when: 'add', reply: 4 }], 'entry 1 of the script'],
  [{ when: 'add', reply: 'text' }, 'the script must be a list of replies'],
])('refuses the script %j, which would never reply', (script, message) => {
  expect(() => scriptedModel(script as never)).toThrow(message);
});

it('refuses options that do not exist', () => {
  expect(() => scriptedModel([], { nam: 'x' } as never)).toThrow('nam');
});
