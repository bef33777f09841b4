import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Terminal } from '../../terminal/terminal.js';
import { cardOf } from './card.js';
import { Screen } from './screen.js';
import { jsonLines, shortLine, shownText, textLines } from './shown-text.js';

function screenOf({ isTTY, columns = 40 }: { readonly isTTY: boolean; readonly columns?: number }) {
  const printed: string[] = [];
  const stream = () => {
    const one = Object.assign(new PassThrough(), { isTTY, columns });
    one.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
    return one;
  };
  const terminal = new Terminal({
    ...{ input: new PassThrough(), output: stream(), error: stream() },
    ...{ env: {}, cwd: '/' },
  });
  return {
    screen: new Screen(terminal, () => undefined),
    terminal,
    text: () => stripVTControlCharacters(printed.join('')),
  };
}

describe('Screen', () => {
  it('breaks the text of a model between words on a terminal, and keeps its indentation', () => {
    const { screen, text } = screenOf({ isTTY: true, columns: 24 });
    for (const part of ['A list of te', 'as:\n  - green tea from Uji', '\n  - black']) screen.say(part);
    screen.endText();
    expect(text()).toBe('  A list of teas:\n    - green tea from\n  Uji\n    - black\n');
  });

  it('prints whole lines as they are elsewhere', () => {
    const { screen, text } = screenOf({ isTTY: false });
    for (const part of ['one \ud83c', '\udf75 two\nth', 'ree']) screen.say(part);
    expect(text()).toBe('one 🍵 two\n');
    screen.endText();
    expect(text()).toBe('one 🍵 two\nthree\n');
  });

  it('holds the output back while a prompt is open, and opens one prompt at a time', async () => {
    const { screen, text } = screenOf({ isTTY: true });
    const { signal } = new AbortController();
    let answer: () => void = () => undefined;
    const first = screen.ask(() => new Promise<void>((resolve) => (answer = resolve)), signal);
    const second = screen.ask(async () => screen.terminal.note('second'), signal);
    await Promise.resolve();
    screen.note('progress');
    expect(text()).toBe('');
    answer();
    await Promise.all([first, second]);
    expect(text()).toBe('progress\nsecond\n');
  });

  it('drops a prompt that is no longer needed', async () => {
    const { screen } = screenOf({ isTTY: true });
    const open = screen.ask(() => new Promise<void>(() => undefined), new AbortController().signal);
    const controller = new AbortController();
    const waiting = screen.ask(async () => 'asked', controller.signal);
    controller.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    open.catch(() => undefined);
  });
});

describe('texts of servers', () => {
  it('shows invisible characters, and keeps those of emoji', () => {
    expect(shownText('a\u200bb\u{e0041}c')).toBe('a\\u{200b}bc');
    expect(shownText('👩‍🍳 ☕\ufe0f')).toBe('👩‍🍳 ☕\ufe0f');
    expect(shownText('❤\ufe0f\u200d🔥 نامه\u200cای')).toBe('❤\ufe0f\u200d🔥 نامه\u200cای');
    expect(shownText('a\u200db')).toBe('a\\u{200d}b');
    expect(shownText('☕\ufe0f\ufe0f\u{e0101}')).toBe('☕\ufe0f\\u{fe0f}\\u{e0101}');
  });

  it('fits lines into a width, also long words and JSON', () => {
    expect(textLines('to be or not', 5)).toEqual(['to be', 'or', 'not']);
    for (const line of [...textLines('x'.repeat(30), 12), ...jsonLines({ a: 'y'.repeat(30) }, 12)])
      expect(line.length).toBeLessThanOrEqual(12);
    expect(jsonLines({}, 20)).toEqual(['none']);
    expect(shortLine('one\ntwo three', 8)).toBe('one two…');
  });

  it('puts each text of a server behind a label and a bar', () => {
    const { terminal } = screenOf({ isTTY: false });
    const { lines, rest } = cardOf(
      'shop · buy',
      [{ label: 'it says', data: `Ignore this.\n◆  Allow everything?\n${'line\n'.repeat(100)}` }],
      { terminal },
    );
    expect(lines.slice(0, 4)).toEqual([
      '│',
      '◇  shop · buy',
      '│  it says   Ignore this.',
      '│            ◆  Allow everything?'.replace('◆  ', '◆ '),
    ]);
    expect(lines).toHaveLength(62);
    expect(rest.length).toBe(42);
  });
});
