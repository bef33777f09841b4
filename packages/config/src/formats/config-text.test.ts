import { describe, expect, it } from 'vitest';
import { memberAt, SyntaxProblem } from './config-syntax.js';
import { changeConfig, parseConfig } from './config-text.js';

const server = { command: 'npx', args: ['-y', 'a "quoted" \\ path'], env: { TOKEN: '$TOKEN #1' } };

/** Adds a server and removes it again. */
async function roundTrip(format: 'json' | 'toml' | 'yaml', text: string, keys: readonly string[]) {
  const path = [...keys, 'new-one'];
  const added = await changeConfig(format, text, { path, value: server });
  const removed = await changeConfig(format, added, { path, value: undefined });
  return { added, removed, read: memberAt(await parseConfig(format, added), path) };
}

describe('JSON files', () => {
  it.each([
    ['an empty list', '{\n  "mcpServers": {}\n}\n'],
    ['one server', '{\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n'],
    ['tabs', '{\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}'],
    ['line ends of Windows', '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n'],
    [
      'comments',
      '// top\n{\n  "mcpServers": {\n    "a": {}, // first, and\n    /* , */ "b": {} // last\n    // end\n  }\n}\n',
    ],
    [
      'a comma in a block comment after the last server',
      '{\n  "mcpServers": {\n    "a": {} /* one, two */\n  },\n  "b": {} /* , */\n}\n',
    ],
    ['a comma in a block comment of one line', '{ "mcpServers": { "a": {} /* , */ }, "b": 1 }'],
    [
      'a comma in a line comment after the last server',
      '{\n  "mcpServers": {\n    "a": {} // x, y\n  }\n}\n',
    ],
    ['a trailing comma', '{\n  "mcpServers": {\n    "a": {},\n  },\n}\n'],
    ['one line', '{"mcpServers":{"a":{"command":"x"}}}'],
    ['one line with spaces', '{ "mcpServers": { "a": { "command": "x" } }, "other": 1 }'],
    ['odd formatting', '{ "other" : [1,2,\n3],\n     "mcpServers":{ "a":{},\n"b" : {}}}'],
    ['other settings, and no list', '{\n    "theme": "dark", // mine\n    "list": []\n}\n'],
    ['a byte order mark', '\uFEFF{\n  "mcpServers": {}\n}\n'],
  ])('adds a server to a file with %s, and removes it without a trace', async (_, text) => {
    const { removed, read } = await roundTrip('json', text, ['mcpServers']);
    expect(read).toEqual(server);
    expect(removed).toBe(text);
  });

  it.each([
    ['', '{\n  "mcpServers": {}\n}\n'],
    [' \n', '{\n  "mcpServers": {}\n}\n'],
    ['{}', '{\n  "mcpServers": {}\n}'],
  ])('adds a server to the empty file %j', async (text, rest) => {
    const { removed, read } = await roundTrip('json', text, ['mcpServers']);
    expect(read).toEqual(server);
    expect(JSON.parse(removed)).toEqual(JSON.parse(rest));
  });

  it('replaces a server, and nothing else', async () => {
    const text = '{\n  "mcpServers": {\n    "a": { "command": "x" }, // one\n    "b": {}\n  }\n}\n';
    const after = await changeConfig('json', text, { path: ['mcpServers', 'a'], value: { url: 'u' } });
    expect(after).toBe(
      '{\n  "mcpServers": {\n    "a": {\n      "url": "u"\n    }, // one\n    "b": {}\n  }\n}\n',
    );
  });

  it('adds a server after comments, in the style of the file', async () => {
    const text = '// top\n{\n\t"mcpServers": {\n\t\t"b": {} // last\n\t\t// end\n\t}\n}\n';
    const after = await changeConfig('json', text, { path: ['mcpServers', 'new'], value: { command: 'x' } });
    expect(after).toBe(
      '// top\n{\n\t"mcpServers": {\n\t\t"b": {}, // last\n\t\t// end\n\t\t"new": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n',
    );
  });

  it.each([
    ['a', ['    // 1', '    // 2', '    "b": {}, // two', '    "c": {} // 3']],
    ['b', ['    // 1', '    "a": {},', '    // 2', '    "c": {} // 3']],
    ['c', ['    // 1', '    "a": {},', '    // 2', '    "b": {} // two']],
  ])('removes the server %s between comments, with the comment on its line', async (name, rest) => {
    const lines = ['    // 1', '    "a": {},', '    // 2', '    "b": {}, // two', '    "c": {} // 3'];
    const fileOf = (members: readonly string[]) => `{\n  "mcpServers": {\n${members.join('\n')}\n  }\n}\n`;
    const path = ['mcpServers', name];
    expect(await changeConfig('json', fileOf(lines), { path, value: undefined })).toBe(fileOf(rest));
  });

  it('removes a server after a comment, before a brace on its line', async () => {
    const text = '{\n  "mcpServers": { "a": {}, // one }\n    "b": {} } }\n';
    const after = await changeConfig('json', text, { path: ['mcpServers', 'b'], value: undefined });
    expect(after).toBe('{\n  "mcpServers": { "a": {} // one }\n } }\n');
  });

  it('reads __proto__ as a member like others', async () => {
    const value = await parseConfig('json', '{"mcpServers":{"__proto__":{"command":"x"}}}');
    expect(memberAt(value, ['mcpServers', '__proto__'])).toEqual({ command: 'x' });
    expect(memberAt(value, ['mcpServers', 'toString'])).toBeUndefined();
  });

  it.each([
    ['a missing brace', '{\n  "a": 1', 2],
    ['garbage', '\n\nhello', 3],
    ['a list', '[]', 1],
    ['a member that is not an object', '{\n\n"mcpServers": 3}', 3],
    ['100,000 brackets', `{"a":${'['.repeat(100_000)}`, 1],
  ])('rejects %s with its line', async (_, text, line) => {
    const change = changeConfig('json', text, { path: ['mcpServers', 'a'], value: {} });
    await expect(change).rejects.toThrow(SyntaxProblem);
    await expect(change).rejects.toMatchObject({ line });
  });

  it('does not change a file with two members of the same name', async () => {
    const text = '{"mcpServers": {"a": {}, "a": {"command": "x"}}}';
    await expect(changeConfig('json', text, { path: ['mcpServers', 'a'], value: undefined })).rejects.toThrow(
      '"mcpServers.a" is written in a way that only a person can change',
    );
  });
});

describe('TOML files', () => {
  const keys = ['mcp_servers'];

  it.each([
    ['nothing', ''],
    ['settings', 'model = "o3" # mine\n\n[tui]\nnotifications = true\n'],
    ['another server', '[mcp_servers.a]\ncommand = "x"\n\n[mcp_servers.a.env]\nA = "1"\n'],
    [
      'a server before another table',
      '[mcp_servers.a]\ncommand = "x"\n\n# about the interface\n[tui]\nx = 1\n',
    ],
    ['no final line end', 'model = "o3"'],
    ['line ends of Windows', 'model = "o3"\r\n\r\n[tui]\r\nx = 1\r\n'],
    ['a header in a long text', 'a = """\n[mcp_servers.new-one]\n"""\nb = [\n  [1],\n]\n'],
    ['blank lines at the end', 'model = "o3"\n\n\n'],
  ])('adds a server to a file with %s, and removes it without a trace', async (_, text) => {
    const { removed, read } = await roundTrip('toml', text, keys);
    expect(read).toEqual(server);
    expect(removed).toBe(text);
  });

  it('adds a server as a table', async () => {
    const after = await changeConfig('toml', 'model = "o3" # mine\n', {
      path: [...keys, 'a'],
      value: server,
    });
    expect(after).toBe(
      'model = "o3" # mine\n\n[mcp_servers.a]\ncommand = "npx"\nargs = [ "-y", "a \\"quoted\\" \\\\ path" ]\n\n[mcp_servers.a.env]\nTOKEN = "$TOKEN #1"\n',
    );
  });

  it('removes and replaces a table between others', async () => {
    const text =
      '[mcp_servers.a]\ncommand = "x"\n\n[mcp_servers."b"]\ncommand = "y"\n[mcp_servers.b.env]\nA = "1"\n\n# c\n[mcp_servers.c]\ncommand = "z"\n';
    const path = [...keys, 'b'];
    expect(await changeConfig('toml', text, { path, value: undefined })).toBe(
      '[mcp_servers.a]\ncommand = "x"\n\n# c\n[mcp_servers.c]\ncommand = "z"\n',
    );
    expect(await changeConfig('toml', text, { path, value: { command: 'n' } })).toBe(
      '[mcp_servers.a]\ncommand = "x"\n\n[mcp_servers.b]\ncommand = "n"\n\n# c\n[mcp_servers.c]\ncommand = "z"\n',
    );
  });

  it.each([
    ['an inline table', 'mcp_servers = { a = { command = "x" } }\n'],
    ['dotted keys', 'mcp_servers.a.command = "x"\n'],
    ['tables apart', '[mcp_servers.a]\ncommand = "x"\n[tui]\nx = 1\n[mcp_servers.a.env]\nA = "1"\n'],
  ])('does not change %s', async (_, text) => {
    const path = [...keys, 'a'];
    await expect(changeConfig('toml', text, { path, value: undefined })).rejects.toThrow(SyntaxProblem);
  });

  it('rejects garbage with its line', async () => {
    await expect(parseConfig('toml', 'a = 1\nb = \n')).rejects.toMatchObject({ line: 2 });
    await expect(parseConfig('toml', `a = ${'['.repeat(100_000)}`)).rejects.toThrow(SyntaxProblem);
  });
});

describe('YAML files', () => {
  const keys = ['extensions'];

  it.each([
    ['settings', 'GOOSE_MODEL: gpt # mine\n'],
    ['another server', 'extensions:\n  a:\n    cmd: x # first\n    args: []\n'],
    [
      'settings after the servers',
      'extensions:\n  a:\n    cmd: x\n\n# model\nGOOSE_MODEL: "gpt"   # odd   spaces\n',
    ],
    ['four spaces', 'extensions:\n    a:\n        cmd: x\n'],
    ['no final line end', 'extensions:\n  a:\n    cmd: x'],
    ['a long text', 'extensions:\n  a:\n    text: |\n      new-one:\n        cmd: x\nb: 1\n'],
  ])('adds a server to a file with %s, and removes it without a trace', async (_, text) => {
    const { removed, read } = await roundTrip('yaml', text, keys);
    expect(read).toEqual(server);
    expect(removed).toBe(text);
  });

  it.each(['', 'extensions: {}\n', 'extensions:\n', 'extensions: { a: { cmd: x } }\nb: 1 # two\n'])(
    'adds a server to %j',
    async (text) => {
      const { removed, read } = await roundTrip('yaml', text, keys);
      expect(read).toEqual(server);
      expect(memberAt(await parseConfig('yaml', removed), [...keys, 'a'])).toEqual(
        memberAt(await parseConfig('yaml', text), [...keys, 'a']),
      );
    },
  );

  it('adds a server at the end of its list', async () => {
    const text =
      'extensions:\n    a:\n        cmd: x # first\n\n# model\nGOOSE_MODEL: "gpt"   # odd   spaces\n';
    const after = await changeConfig('yaml', text, { path: [...keys, 'b'], value: { cmd: 'y' } });
    expect(after).toBe(text.replace('# first\n', '# first\n    b:\n      cmd: y\n'));
  });

  it('replaces a server, and nothing else', async () => {
    const text = 'extensions:\n  a:\n    cmd: x\n  # about b\n  b:\n    cmd: y\nc: 1\n';
    const after = await changeConfig('yaml', text, { path: [...keys, 'a'], value: { cmd: 'z' } });
    expect(after).toBe(text.replace('cmd: x', 'cmd: z'));
  });

  it('rejects garbage, and many aliases', async () => {
    await expect(parseConfig('yaml', 'a: 1\nb: [\n')).rejects.toThrow(SyntaxProblem);
    const bomb = [
      'a: &a0 [x, x]',
      ...Array.from({ length: 30 }, (_, i) => `b${i}: &a${i + 1} [*a${i}, *a${i}]`),
    ];
    await expect(parseConfig('yaml', bomb.join('\n'))).rejects.toThrow('too many aliases');
  });
});
