import { otherBounds } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import type { Model, ModelMessage } from '../model.js';
import { ModelError } from '../model-error.js';
import { type Script, scriptedModel } from '../scripted/scripted-model.js';
import { type ConverseEvent, type ConverseOptions, converse } from './converse.js';
import type { ToolRunner } from './tool-calls.js';

const asked: readonly ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }];
const calling = (...names: readonly string[]) => ({
  calls: names.map((name) => ({ name, args: { of: name } })),
});
const text = (of: string) => [{ type: 'text', text: of }] as const;
const done: ToolRunner = async (calls) =>
  calls.map(({ id, name }) => ({ id, content: text(`${name} is done`) }));
const forever: Script = () => calling('again');
const tool = (name: string) => ({ name, server: 's', tool: { name, inputSchema: { type: 'object' } } });

/** Converses with a script, and collects the events. */
async function conversed(script: Script, options: Partial<ConverseOptions> = {}) {
  const events: ConverseEvent[] = [];
  const model = scriptedModel(script);
  const result = await converse({
    model,
    messages: asked,
    run: done,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { result, events, model, kinds: events.map(({ type }) => type) };
}

/** The texts of the results in a message. */
function resultsIn(message: ModelMessage | undefined): readonly (readonly [string, string, boolean])[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const [first] = block.content;
    return [[block.id, first?.type === 'text' ? first.text : '', block.isError === true] as const];
  });
}

describe('a conversation', () => {
  it('runs the calls of the model until it makes none', async () => {
    const { result, events, model } = await conversed(
      [{ text: 'First.', ...calling('one', 'two') }, 'All done.'],
      {
        system: 'Be brief.',
        tools: [tool('one'), tool('two')],
        price: { input: 1_000_000, output: 0 },
        maxTokens: 99,
      },
    );
    const call = (name: string, id: string) => ({ type: 'tool_call', id, name, args: { of: name } });
    const ended = (name: string, id: string) => ({
      type: 'tool_result',
      id,
      content: text(`${name} is done`),
    });
    const replied = {
      role: 'assistant',
      content: [...text('First.'), call('one', 'call_1'), call('two', 'call_2')],
    };
    const results = { role: 'user', content: [ended('one', 'call_1'), ended('two', 'call_2')] };
    const last = { role: 'assistant', content: text('All done.') };
    expect(result).toMatchObject({ text: 'All done.', end: 'stopped', stopReason: 'endTurn', turns: 2 });
    expect(result.limit).toBeUndefined();
    expect(result.messages).toEqual([...asked, replied, results, last]);
    expect(result.cost).toBe(result.usage.input);
    expect(model.requests[1]).toMatchObject({ system: 'Be brief.', maxTokens: 99, toolChoice: 'auto' });
    expect(model.requests[1]?.messages).toEqual([...asked, replied, results]);
    expect(events).toMatchObject([
      { type: 'text', turn: 1, text: 'First.' },
      { type: 'message', turn: 1, message: replied },
      { type: 'usage', turn: 1 },
      { type: 'call', turn: 1, call: call('one', 'call_1') },
      { type: 'call', turn: 1, call: call('two', 'call_2') },
      { type: 'result', turn: 1, call: call('one', 'call_1'), result: ended('one', 'call_1') },
      { type: 'result', turn: 1, call: call('two', 'call_2'), result: ended('two', 'call_2') },
      { type: 'message', turn: 1, message: results },
      { type: 'text', turn: 2, text: 'All ' },
      { type: 'text', turn: 2, text: 'done.' },
      { type: 'message', turn: 2, message: last },
      { type: 'usage', turn: 2, usage: result.usage, cost: result.cost },
    ]);
  });

  it('requests the tools before each turn', async () => {
    let turn = 0;
    const { model } = await conversed([calling('one'), 'Done.'], {
      tools: async () => [tool(`tool${++turn}`)],
    });
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['tool1'], ['tool2']]);
  });

  it('goes on from its messages', async () => {
    const { result } = await conversed(['Hello.']);
    const next = await conversed(
      [({ messages }: { messages: readonly unknown[] }) => `${messages.length}`].map((reply) => ({
        when: 'More',
        reply,
      })),
      { messages: [...result.messages, { role: 'user', content: text('More.') }] },
    );
    expect(next.result.text).toBe('3');
  });

  it('rejects with the error of the model, after the messages so far', async () => {
    const error = new ModelError('unreachable', 'gone');
    const messages: ModelMessage[] = [];
    const script = scriptedModel([calling('one')]);
    const model: Model = {
      name: 'm',
      reply: (request, options) =>
        request.messages.length > 1 ? Promise.reject(error) : script.reply(request, options),
    };
    const conversation = converse({
      model,
      messages: asked,
      run: done,
      onEvent: (event) => event.type === 'message' && messages.push(event.message),
    });
    await expect(conversation).rejects.toBe(error);
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user']);
  });
});

describe('results', () => {
  it('are in the order of the calls, one for each', async () => {
    const run: ToolRunner = async (calls, { onResult, turn }) => {
      const [first, second] = calls;
      onResult({ id: second?.id ?? '', content: text(`early in turn ${turn}`) });
      return [
        { id: second?.id ?? '', content: text('again') },
        { id: 'unknown', content: text('of no call') },
        { id: first?.id ?? '', content: text('late'), isError: true },
      ];
    };
    const { result, events } = await conversed([calling('one', 'two', 'three'), 'Done.'], { run });
    expect(resultsIn(result.messages[2])).toEqual([
      ['call_1', 'late', true],
      ['call_2', 'early in turn 1', false],
      ['call_3', expect.stringContaining('no result'), true],
    ]);
    const shown = events.flatMap((event) => (event.type === 'result' ? [event.call.name] : []));
    expect(shown).toEqual(['two', 'one', 'three']);
  });

  it('say what is wrong with calls that cannot run', async () => {
    const ran: string[] = [];
    const call = (id: number, more = {}) =>
      ({ type: 'tool_call', id: `c${id}`, name: `n${id}`, args: {}, ...more }) as const;
    const many = [
      call(0, { problem: 'Not JSON.' }),
      ...Array.from({ length: 129 }, (_, index) => call(index + 1)),
    ];
    let turn = 0;
    const model: Model = {
      name: 'm',
      reply: async () => ({
        content: turn++ === 0 ? many : text('Done.'),
        stopReason: 'other',
        usage: { input: 1, output: 1 },
        model: 'm',
      }),
    };
    const run: ToolRunner = (calls, context) => {
      ran.push(...calls.map(({ name }) => name));
      return done(calls, context);
    };
    const { result } = await conversed([], { model, run });
    expect(ran).toEqual(many.slice(1, 129).map(({ name }) => name));
    const results = resultsIn(result.messages[2]);
    expect(results).toHaveLength(130);
    expect(results[0]).toEqual(['c0', 'Not JSON.', true]);
    expect(results[129]).toEqual(['c129', expect.stringContaining('at most 128 calls'), true]);
  });

  it('exist for each call when the runner throws, which ends the conversation', async () => {
    const messages: ModelMessage[] = [];
    const run: ToolRunner = (calls, { onResult }) => {
      onResult({ id: calls[0]?.id ?? '', content: text('early') });
      throw new RangeError('mine');
    };
    const onEvent = (event: ConverseEvent) => event.type === 'message' && messages.push(event.message);
    await expect(conversed([calling('one', 'two')], { run, onEvent })).rejects.toThrow(
      new RangeError('mine'),
    );
    expect(resultsIn(messages[1])).toEqual([
      ['call_1', 'early', false],
      ['call_2', expect.stringContaining('host failed'), true],
    ]);
  });

  it('that exceed the rest of the transcript are replaced by an error', async () => {
    const run: ToolRunner = async (calls) =>
      calls.map(({ id }, index) => ({ id, content: text('x'.repeat(index === 0 ? 5_000 : 10)) }));
    const { result } = await conversed([calling('one', 'two'), 'Done.'], {
      run,
      limits: otherBounds({ characters: 1_000 }),
    });
    expect(resultsIn(result.messages[2])).toEqual([
      ['call_1', expect.stringContaining('5000 characters'), true],
      ['call_2', 'x'.repeat(10), false],
    ]);
    expect(result.end).toBe('stopped');
  });
});

describe('limits', () => {
  it.each([
    ['turns', { turns: 3 }, 3],
    ['tokens', { tokens: 1 }, 1],
    ['cost', { cost: 0.000_1 }, 1],
  ] as const)('end a conversation by %s, without running the last calls', async (limit, limits, turns) => {
    let ran = 0;
    const run: ToolRunner = (calls, context) => {
      ran++;
      return done(calls, context);
    };
    const { result, events } = await conversed(forever, { run, limits, price: { input: 3, output: 15 } });
    expect(result).toMatchObject({ end: 'limit', limit, turns });
    expect(ran).toBe(turns - 1);
    expect(resultsIn(result.messages.at(-1))).toEqual([
      [`call_${turns}`, `The call did not run: the limit of ${limit} is reached.`, true],
    ]);
    expect(events.at(-1)).toEqual({ type: 'limit', turn: turns, limit });
  });

  it.each([
    ['messages', { messages: 5 }],
    ['characters', { characters: 60 }],
  ] as [string, Record<string, number>][])('end a conversation with too many %s', async (_, limits) => {
    const { result } = await conversed(forever, { limits: otherBounds(limits) });
    expect(result).toMatchObject({ end: 'limit', limit: 'transcript', turns: 2 });
    expect(result.messages).toHaveLength(5);
  });

  it('end a conversation that takes too long, with the calls cancelled', async () => {
    const clock = new FakeClock();
    let aborted = false;
    const run: ToolRunner = (_, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
      });
    const conversation = conversed(forever, { run, clock, limits: { time: 60_000 } });
    await clock.advance(60_000);
    const { result } = await conversation;
    expect(result).toMatchObject({ end: 'limit', limit: 'time', turns: 1 });
    expect(resultsIn(result.messages.at(-1))).toEqual([
      ['call_1', expect.stringContaining('cancelled'), true],
    ]);
    expect(aborted).toBe(true);
    expect(clock.waiting).toEqual([]);
  });

  it.each<[object, string]>([
    [{ limits: { turn: 3 } }, 'turns'],
    [{ limits: { tokens: 0 } }, 'tokens must be a positive number'],
    [{ limits: { cost: 1 } }, 'needs the option "price"'],
    [{ maxToken: 3 }, 'maxTokens'],
  ])('must be valid: %j', async (options, message) => {
    await expect(conversed([], options)).rejects.toThrow(message);
  });
});

describe('cancellation', () => {
  it('keeps the results that there are, and marks the other calls', async () => {
    const stop = new AbortController();
    const run: ToolRunner = (calls, { onResult }) => {
      onResult({ id: calls[0]?.id ?? '', content: text('in time') });
      stop.abort('enough');
      onResult({ id: calls[2]?.id ?? '', content: text('at the last moment') });
      return done(calls, { signal: stop.signal, turn: 1, onResult });
    };
    const { result, kinds } = await conversed([calling('one', 'two', 'three')], { run, signal: stop.signal });
    expect(result).toMatchObject({ end: 'cancelled', turns: 1 });
    expect(resultsIn(result.messages.at(-1))).toEqual([
      ['call_1', 'in time', false],
      ['call_2', expect.stringContaining('cancelled'), true],
      ['call_3', 'at the last moment', false],
    ]);
    expect(kinds.filter((kind) => kind === 'result')).toHaveLength(3);
  });

  it('keeps the text so far of a reply', async () => {
    const stop = new AbortController();
    const { result } = await conversed(['One two three'], {
      signal: stop.signal,
      onEvent: (event) => event.type === 'text' && event.text.startsWith('two') && stop.abort(),
    });
    expect(result).toMatchObject({ end: 'cancelled', text: 'One two ', turns: 1 });
  });

  it('ends a reply of a model that ignores the signal', async () => {
    const stop = new AbortController();
    const model: Model = {
      name: 'm',
      reply: (_, options) => {
        stop.abort();
        options?.onText?.('too late');
        return new Promise(() => {});
      },
    };
    const { result, kinds } = await conversed([], { model, signal: stop.signal });
    expect(kinds).toEqual([]);
    expect(result).toMatchObject({ end: 'cancelled', text: '', messages: asked });
  });

  it('replies nothing when the signal has aborted before', async () => {
    const { result, model } = await conversed(['Hello.'], { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ end: 'cancelled', turns: 0 });
    expect(model.requests).toEqual([]);
  });

  it('reaches the tools when a listener throws', async () => {
    let signal: AbortSignal | undefined;
    const run: ToolRunner = (calls, context) => {
      signal = context.signal;
      context.onResult({ id: calls[0]?.id ?? '', content: [] });
      return new Promise(() => {});
    };
    const onEvent = (event: ConverseEvent) => {
      if (event.type === 'result') throw new RangeError('mine');
    };
    await expect(conversed([calling('one')], { run, onEvent })).rejects.toThrow('mine');
    expect(signal?.aborted).toBe(true);
  });
});
