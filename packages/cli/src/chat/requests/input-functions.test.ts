import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { chatServer } from '../../../test/chat-server.js';
import { type HomeFolder, homeFolder } from '../../../test/home-folder.js';
import { keys, playTenon } from '../../../test/play-tenon.js';

let serving: HttpServing;
let seen: string[];
let user: HomeFolder;

beforeEach(async () => {
  const served = chatServer();
  ({ seen } = served);
  serving = await serveHttp(served.server, { port: 0 });
  user = await homeFolder();
  await user.write('~/.cursor/mcp.json', { mcpServers: { local: { url: serving.url } } });
});
afterEach(async () => {
  await serving.close();
  await user.remove();
});

const { down, enter, escape: leave } = keys;
const play = (...steps: Parameters<typeof playTenon>[1]) =>
  playTenon(['chat', '--demo', 'local', '--allow', 'local'], steps, { env: user.env });
const ready = 'Write a message';
const quit = ['done in', '/quit', enter] as const;

describe('forms and pages in a conversation', () => {
  it('sends a form as the user has changed it after a review', async () => {
    shows('2026-07-28/client/elicitation/review-form');
    let before: string[] = [];
    const { screen } = await playTenon(
      ['chat', '--demo', 'local', '--allow', 'local'],
      [
        [ready, 'call form', enter],
        ['city', 'Bergen', enter],
        ['zip (optional)', enter],
        ['Send this answer?', down, enter],
        ['city', '!', enter],
        ['zip (optional)', '5003', enter],
        ['Send this answer?', enter],
        quit,
      ],
      {
        env: user.env,
        onStep: (text) => {
          if (text === 'Send this answer?') before = [...seen];
        },
      },
    );
    expect(screen).toContain('local (form) requests input:');
    expect(screen).toContain('"city": "Bergen"');
    expect(before).toEqual([]);
    expect(seen).toEqual(['{"city":"Bergen!","zip":"5003"}']);
  });

  it('never prints an address of a message as a link', async () => {
    shows('2026-07-28/client/elicitation/not-clickable');
    const { raw, stdout } = await play(
      [ready, 'call form', enter],
      ['https://evil.example/form', leave],
      ['The form is not complete.', down, enter],
      ['done in', 'call page', enter],
      ['https://other.example/', enter],
      quit,
    );
    // Links of terminals begin with OSC 8.
    expect(raw + stdout).not.toContain('\u001b]');
    expect(seen).toEqual(['decline', 'decline']);
  });

  it('warns before a form that requests a secret', async () => {
    const { screen } = await play(
      [ready, 'call secret', enter],
      ['words: Your', leave],
      ['The form is not complete.', down, enter],
      quit,
    );
    expect(screen).toContain('Warning: "words" looks like a secret.');
    expect(seen).toEqual(['decline']);
  });

  it('shows the whole address of a page with the server that asks', async () => {
    const { screen } = await play(
      [ready, 'call page', enter],
      ['Open the page at pay.example?', down, down, enter],
      quit,
    );
    expect(screen).toContain('local (page) asks you to visit a page:');
    expect(screen).toContain('https://pay.example/order?id=1');
    expect(seen).toEqual(['accept']);
  });
});

describe('sampling in a conversation', () => {
  it('shows a prompt, lets the user change it, and shows the answer before it is sent', async () => {
    shows(
      '2026-07-28/client/sampling/review',
      '2026-07-28/client/sampling/edit',
      '2026-07-28/client/sampling/present',
      '2024-11-05/client/sampling/review-interface',
      '2024-11-05/client/sampling/view-and-edit',
      '2024-11-05/client/sampling/review-answers',
    );
    let before: string[] = [];
    const { screen } = await playTenon(
      ['chat', '--demo', 'local', '--allow', 'local'],
      [
        [ready, 'call sample', enter],
        ['Send this prompt to your model?', down, down, enter],
        ['Change which text?', enter],
        ['Text (Enter twice ends it)', ' Or two?', enter, enter],
        ['Send this prompt to your model?', down, enter],
        ['Send this answer to the server?', down, down, enter],
        ['Text (Enter twice ends it)', ' Really.', enter, enter],
        ['Send this answer to the server?', down, enter],
        quit,
      ],
      {
        env: user.env,
        onStep: (text) => {
          if (text === 'Send this answer to the server?') before = [...seen];
        },
      },
    );
    expect(screen).toContain('local (sample) asks for an answer of your model scripted');
    expect(screen).toContain('system    Be short.');
    expect(screen).toMatch(/user {6}A slogan\?\n/);
    expect(screen).toContain('user      A slogan? Or two?');
    expect(screen).toContain('The answer of scripted for local (sample)');
    expect(before).toEqual([]);
    expect(seen.join()).toMatch(/^sampled .*I am a scripted model.* Really\./);
  });

  it('sends nothing when the user refuses the prompt or the answer', async () => {
    await play(
      [ready, 'call sample', enter],
      ['Send this prompt to your model?', enter],
      ['sample  ', 'call sample', enter],
      ['Send this prompt to your model?', down, enter],
      ['Send this answer to the server?', enter],
      ['sample  ', '/quit', enter],
    );
    expect(seen).toEqual([]);
  });
});
