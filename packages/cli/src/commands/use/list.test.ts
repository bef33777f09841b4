import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainServer } from '../../../test/plain-server.js';
import { runTenon } from '../../../test/run-tenon.js';
import { shop } from '../../../test/shop.js';

let serving: HttpServing;

beforeAll(async () => {
  serving = await serveHttp(shop(), { port: 0 });
});
afterAll(() => serving.close());

const list = (...words: string[]) => runTenon(['list', serving.url, ...words]);

describe('tenon list', () => {
  it('prints a title, signatures and sections', async () => {
    const { code, stdout, stderr } = await list();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^shop 1\.2\.3 {2}MCP 2026-07-28 · HTTP · 9 tools, 2 resources, 1 prompt\n\nTools\n/,
    );
    expect(stdout).toContain(
      '  /** Adds two numbers. */\n  // read-only\n  add(a: number, b: number): { sum: number }\n',
    );
    expect(stdout).toMatch(/\nResources\n {2}text:\/\/notes {2,}notes · text\/plain\n/);
    expect(stdout).toMatch(/\nPrompts\n {2}greet\(name, language\?\) {2}Greets\n$/);
  });

  it.each([
    ['--tools', 'Tools'],
    ['--resources', 'Resources'],
    ['--prompts', 'Prompts'],
  ])('prints one section with %s', async (option, title) => {
    const { stdout } = await list(option);
    expect(stdout.match(/^[A-Z]\w+$/gm)).toEqual([title]);
  });

  it('prints the entry with a name, with all parameters and descriptions', async () => {
    const { stdout } = await list('search');
    expect(stdout).toContain('@param query - The words to find');
    expect(stdout).not.toContain('Adds two numbers');
  });

  it('prints entries that contain the text when no name is equal', async () => {
    const { stdout } = await list('NOT');
    expect(stdout).toContain('text://notes');
    expect(stdout).not.toContain('Tools');
  });

  it('prints schemas', async () => {
    const { stdout } = await list('add', '--schema');
    expect(stdout).toContain('"inputSchema": {');
    expect(stdout).toContain('"outputSchema": {');
  });

  it('prints the selected entries as JSON', async () => {
    const { stdout } = await list('search', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ name: 'search' }], resources: [], prompts: [] });
  });

  it('names the tools that the client leaves out, with the reasons', async () => {
    const tools = [
      { name: 'good', inputSchema: { type: 'object' } },
      { name: 'bad' },
      { name: 'list', inputSchema: 7 },
    ];
    const command = [process.execPath, '-e', plainServer(tools)];
    const reason = 'Left out of tools: 2 of 3: "bad" (definition.inputSchema: is required), "list" (';
    const { code, stdout, stderr } = await runTenon(['list', '--', ...command]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('good()') });
    expect(stderr).toContain(reason);
    const json = await runTenon(['list', '--json', '--', ...command]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      tools: [{ name: 'good' }],
      leftOut: [expect.stringContaining(reason)],
    });
    const call = await runTenon(['call', 'bad', '--', ...command]);
    expect(call).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
  });

  it('lists the rest of a server that does not have a list it declares', async () => {
    const server = plainServer(['good']).replace('{ tools: {} }', '{ tools: {}, resources: {} }');
    const { code, stdout, stderr } = await runTenon(['list', '--', process.execPath, '-e', server]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('good()') });
    expect(stderr).toBe(
      '\nresources/list: Method not found. The server declares this list, and does not have it.\n',
    );
  });

  it('suggests a name when none fits', async () => {
    expect(await list('serch')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "search"?'),
    });
  });

  it('prints no control characters of the server on a terminal', async () => {
    const { stdout } = await runTenon(['list', serving.url], { tty: true, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('Finds goods.');
    expect(stdout).not.toContain('\u001b');
  });
});
