import { stripVTControlCharacters } from 'node:util';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys, playTenon } from '../../test/play-tenon.js';
import { shop } from '../../test/shop.js';
import { askForm } from './ask-user.js';
import type { Prompter } from './prompter.js';

let serving: HttpServing;

beforeAll(async () => {
  serving = await serveHttp(shop(), { port: 0 });
});
afterAll(() => serving.close());

const { down, enter, escape: leave } = keys;
const play = (words: readonly string[], ...steps: Parameters<typeof playTenon>[1]) =>
  playTenon(['call', serving.url, ...words], steps);

describe('forms at the terminal', () => {
  it.each(['2025-06-18', '2026-07-28'])(
    'fills in a form, checks fields and shows the answer in %s',
    async (revision) => {
      const { code, stdout, screen } = await play(
        ['order', '--revision', revision],
        ['city', 'O', enter],
        ['is shorter than 2', 's', 'l', 'o', enter],
        ['count', '9', '9', enter],
        ['is above 9', '\u007f', enter],
        ['gift (optional)', enter],
        ['size (optional)', enter],
        ['Send this answer?', enter],
      );
      expect({ code, stdout }).toEqual({ code: 0, stdout: '{"city":"Oslo","count":9,"gift":false}\n' });
      expect(screen).toContain('shop requests input:');
    },
  );

  it('declines after Esc', async () => {
    const { stdout } = await play(['order'], ['city', leave], ['The form is not complete.', down, enter]);
    expect(stdout).toBe('decline\n');
  });

  it('refuses a form that requests a secret', async () => {
    const said: string[] = [];
    const prompter = { say: (text: string) => said.push(text) } as unknown as Prompter;
    const properties = { apiKey: { type: 'string' } } as const;
    const form = { message: 'Key?', requestedSchema: { type: 'object', properties } } as const;
    expect(await askForm(form, { server: 'shop', prompter })).toEqual({ action: 'decline' });
    expect(said.join()).toContain('the field "apiKey" looks like a secret');
  });

  it('shows the whole address of a page, and opens nothing when the user declines', async () => {
    const { stdout, screen } = await play(['pay'], ['Open the page at pay.example?', enter]);
    expect(stdout).toBe('decline\n');
    expect(screen).toContain('https://pay.example/order?id=1');
  });

  it('accepts a page that the user opened', async () => {
    const { stdout } = await play(['pay'], ['Open the page at pay.example?', down, down, enter]);
    expect(stdout).toBe('accept\n');
  });

  it('shows the pages that a server requires, and calls again', async () => {
    const { stdout } = await play(
      ['locked', '--revision', '2025-11-25'],
      ['Open the page at lock.example?', down, down, enter],
    );
    expect(stdout).toBe('open\n');
  });

  it('lets the user write the answer of the model', async () => {
    const { stdout, screen } = await play(
      ['write'],
      ['There is no model here.', enter],
      ['Answer', 'T', 'e', 'a', enter],
    );
    expect(stdout).toContain('Tea');
    expect(screen).toContain('user: A slogan?');
  });

  it('asks for missing arguments', async () => {
    const { stdout } = await play(
      ['add', 'a=1'],
      ['b: number', 'x', enter],
      ['must be a number', '2', enter],
    );
    expect(JSON.parse(stripVTControlCharacters(stdout))).toEqual({ sum: 3 });
  });

  it('shows the description of a missing argument behind the bar of the form', async () => {
    const { screen } = await play(['search'], ['query: string', 't', enter]);
    expect(screen).toMatch(/query: string\n│ {2}The words to find/);
  });

  it('does not call when the user cancels', async () => {
    const { code, screen } = await play(['add', 'a=1'], ['b: number', leave]);
    expect(code).toBe(1);
    expect(screen).toContain('The tool "add" was not called.');
  });

  it('asks before a tool that is not read-only with --confirm', async () => {
    const { code, screen } = await play(
      ['search', 'query=x', '--confirm'],
      ['Call it with {"query":"x"}?', enter],
    );
    expect(code).toBe(1);
    expect(screen).toContain('The tool "search" was not called.');
    expect((await play(['add(1, 2)', '--confirm'])).code).toBe(0);
  });
});
