import { createServer } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { memoryPeer } from './memory-peer.js';
import { processPeer } from './process-peer.js';
import { type Peer, replay } from './replay.js';
import { readStories } from './transcript.js';

/** A story with these lines, in the format of a page. */
function storyOf(...lines: string[]) {
  const [story] = readStories(['A sentence.', '```transcript', ...lines, '```'].join('\n'));
  if (story === undefined) throw new TypeError('no story');
  return story;
}

/** A peer with fixed messages. */
function recorded(...frames: unknown[]): Peer & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    send: (texts) => void sent.push(...texts),
    next: async () => frames.shift(),
    end: async () => ({ how: 'closes', unread: frames }),
  };
}

describe('a replay', () => {
  it('accepts the expected message, with members in any order and over several lines', async () => {
    await replay(storyOf('← {"a": 1,', '    "b": [2]', '  }'), recorded({ b: [2], a: 1 }), 'closes');
  });

  it.each([
    { what: 'another value', lines: ['← {"a": 1}'], frames: [{ a: 2 }], message: 'line 3' },
    { what: 'a member more', lines: ['← {"a": 1}'], frames: [{ a: 1, b: 1 }], message: 'line 3' },
    { what: 'a member less', lines: ['← {"a": 1, "b": 1}'], frames: [{ a: 1 }], message: 'line 3' },
    {
      what: 'a missing member that a name stands for',
      lines: ['← {"a": "<a>"}'],
      frames: [{}],
      message: 'line 3',
    },
    { what: 'another order of items', lines: ['← [1, 2]'], frames: [[2, 1]], message: 'line 3' },
    { what: 'two values under one name', lines: ['← "<a>"', '← "<a>"'], frames: [1, 2], message: 'line 4' },
    { what: 'nothing', lines: ['← 1', '← 2'], frames: [1], message: 'line 4: no message arrived' },
    { what: 'something more', lines: ['← 1'], frames: [1, 2], message: 'after the last line came [2]' },
    { what: 'another end', lines: ['→ (closes stdin)', '← (exits 0)'], frames: [], message: 'line 4' },
  ])('fails on $what', async ({ lines, frames, message }) => {
    await expect(replay(storyOf(...lines), recorded(...frames), 'closes')).rejects.toThrow(message);
  });

  it('sends a value received under a name', async () => {
    const peer = recorded({ state: 'x.y', list: [1] });
    await replay(
      storyOf(
        '← {"state": "<state>", "list": "<list>"}',
        '→ {"s": "<state>", "l": ["<list>"], "t": "<state>!"}',
      ),
      peer,
      'closes',
    );
    expect(peer.sent).toEqual(['{"s":"x.y","l":[[1]],"t":"x.y!"}']);
    await expect(replay(storyOf('→ "<other>"'), recorded(), 'closes')).rejects.toThrow(RangeError);
  });

  it('sends text that is not JSON unchanged', async () => {
    const peer = recorded();
    await replay(storyOf('→ {"a":'), peer, 'closes');
    expect(peer.sent).toEqual(['{"a":']);
  });

  it('fails if the peer exits with an error', async () => {
    await expect(replay(storyOf('→ 1'), recorded(), 'exits 0')).rejects.toThrow('the peer closes');
  });
});

describe('the format', () => {
  it.each([
    ['```transcript\n→ 1\n```', 'line 1: a block needs a sentence above it'],
    ['Words.\n```transcript\n1\n```', 'line 3: expected'],
    ['Words.\n```transcript\n  1\n```', 'line 3: expected'],
    ['Words.\n```text\n→ 1\n```', 'line 3: an arrow outside'],
    ['Words.\n```transcript\n→ 1', 'no end'],
  ])('refuses %j', (page, message) => {
    expect(() => readStories(page)).toThrow(message);
  });

  it('keeps blocks of frames and of HTTP apart', () => {
    const page = '# Page\nWords.\n```transcript\n→ 1\n```\nWords.\n```http\n→ a: GET /\n```\n';
    const texts = (fence: 'transcript' | 'http') =>
      readStories(page, fence).flatMap(({ steps }) => steps.map((step) => step.text));
    expect(texts('transcript')).toEqual(['1']);
    expect(texts('http')).toEqual(['a: GET /']);
    expect(() => readStories('```http\n→ 1\n```')).toThrow('line 1: a block needs a sentence above it');
  });

  it('returns one story for each heading', () => {
    const block = 'Words.\n```transcript\n→ 1\n```\n';
    const stories = readStories(`# Page\n## One\n${block}${block}## None\n## Two\n${block}`);
    expect(stories.map(({ title, steps }) => [title, steps.length])).toEqual([
      ['One', 2],
      ['Two', 1],
    ]);
  });
});

describe('peers', () => {
  it('in memory: receive the messages of a server', async () => {
    const story = storyOf(
      '→ {"jsonrpc":"2.0","id":1,"method":"ping"}',
      '← {"jsonrpc":"2.0","id":1,"result":{}}',
    );
    await replay(story, memoryPeer(createServer({ name: 'x', version: '1' })), 'closes');
  });

  it.each([
    ['console.log("1"); process.stdin.resume()', 'exits 0'],
    ['console.log("1"); process.exitCode = 3', 'exits 3'],
    ['console.log("1"); console.error("no")', 'exits 0 with this text on stderr: no\n'],
  ])('as a process: %s', async (program, end) => {
    await replay(storyOf('← 1'), processPeer(['-e', program], process.cwd()), end);
  });
});
