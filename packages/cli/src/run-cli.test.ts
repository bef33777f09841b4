import { describe, expect, it } from 'vitest';
import { runTenon } from '../test/run-tenon.js';

describe('tenon', () => {
  it('prints help that fits a screen', async () => {
    const { code, stdout } = await runTenon(['--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: tenon COMMAND/);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(50);
  });

  it('prints its version', async () => {
    expect(await runTenon(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it('exits with 1 and suggests a command when a command is misspelt', async () => {
    const { code, stderr, stdout } = await runTenon(['lst']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('error: unknown command \'lst\'\nhint: Did you mean list? See "tenon --help".\n');
  });

  it.each([
    ['init', 'A new project is made with "npm create tenon@latest NAME". See "tenon --help".'],
    ['inspect', 'Did you mean "tenon list"? See "tenon --help".'],
    ['toString', 'See "tenon --help".'],
  ])('has a hint when the command is %s, as in other programs', async (word, hint) => {
    const { code, stderr } = await runTenon([word]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: unknown command '${word}'\nhint: ${hint}\n`,
    });
  });

  it.each([
    ['a misspelt option', ['list', '--jsn'], 'hint: Did you mean --json? See "tenon list --help".\n'],
    [
      'an argument of a tool as an option',
      ['call', 'add', '--left', '1'],
      'hint: Arguments of the tool are written name=value. See "tenon call --help".\n',
    ],
  ])('names the help of the command when there is %s', async (_, words, hint) => {
    const { code, stderr } = await runTenon([...words, '--', 'node']);
    expect(code).toBe(1);
    expect(stderr).toContain(hint);
  });

  it('prints help of commands below commands without empty defaults, and by their names', async () => {
    const { stdout } = await runTenon(['tasks', 'get', '--help']);
    expect(stdout).toContain('--header <header>');
    expect(stdout).not.toContain('{}');
    expect((await runTenon(['tasks', '--help'])).stdout).toMatch(/^ {2}get {2,}\S/m);
  });

  it('prints help after the word help', async () => {
    expect(await runTenon(['help'])).toEqual(await runTenon(['--help']));
    expect(await runTenon(['help', 'call'])).toEqual(await runTenon(['call', '--help']));
  });

  it('exits with 1 when no server is named', async () => {
    const { code, stderr } = await runTenon(['list']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: No server is named\.\nhint: /);
  });

  it.each([
    ['a URL', ['http://127.0.0.1:1/mcp'], 'hint: To find the reason: tenon doctor http://127.0.0.1:1/mcp\n'],
    ['a URL with a query', ['http://127.0.0.1:1/?key=abc'], 'hint: To find the reason: tenon doctor URL\n'],
    ['a command', ['--', process.execPath, '-e', ''], 'hint: To find the reason: tenon doctor -- COMMAND\n'],
  ])('names tenon doctor when the server is not reachable: %s', async (_, words, hint) => {
    const { code, stderr } = await runTenon(['list', ...words]);
    expect(code).toBe(4);
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain('abc');
  });

  it('exits with 4 and prints one line of JSON when a server cannot be started', async () => {
    const { code, stderr } = await runTenon([
      'list',
      '--json',
      '--',
      process.execPath,
      '-e',
      'process.exit(3)',
    ]);
    expect(code).toBe(4);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unreachable', exitCode: 4 } });
  });

  it('names its own option when a server is silent', async () => {
    const { code, stderr } = await runTenon([
      ...['list', '--timeout', '0.2', '--revision', '2025-11-25'],
      ...['--', process.execPath, '-e', 'process.stdin.resume()'],
    ]);
    expect(code).toBe(4);
    expect(stderr).toContain('allow it more with --timeout.');
  });

  it.each([
    ['a header without a colon', ['--header', 'token'], 'A header is written'],
    ['a variable without a value', ['--env', 'NAME'], 'A variable is written'],
    ['a timeout of 0', ['--timeout', '0'], 'above 0'],
    ['a revision that does not exist', ['--revision', 'nonsense'], '"nonsense" is not a revision'],
  ])('rejects %s', async (_, options, text) => {
    const { code, stderr } = await runTenon(['list', ...options, '--', 'node']);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
  });

  it.each([
    ['a header', ['list', '--header', 'Authorization Bearer abc123def', '--', 'node'], '--header'],
    ['a variable', ['list', '--env', 'API_KEY abc123def', '--', 'node'], '--env'],
    ['a header to install', ['install', 'cursor', 'http://127.0.0.1', '-H', 'x abc123def'], '--header'],
    ['a URL that is not valid', ['list', 'https://ada:abc123def@[x'], 'is not a valid URL'],
    ['a URL beside a command', ['lint', 'https://a/?token=abc123def', '--', 'node'], 'Two servers'],
    [
      'a command that does not start',
      ['list', '--', 'node', '-e', '0', '--', '--token', 'abc123def'],
      'node',
    ],
  ])('does not print the secret in %s', async (_, words, text) => {
    for (const json of [[], ['--json']]) {
      const [command = '', ...rest] = words;
      const { code, stdout, stderr } = await runTenon([command, ...json, ...rest]);
      expect(code).toBeGreaterThan(0);
      expect(stderr).toContain(text);
      expect(stdout + stderr).not.toContain('abc123def');
    }
  });

  it.each(['lint', 'compat', 'doctor', 'watch', 'types', 'card', 'conformance'])(
    'rejects two servers for %s',
    async (command) => {
      const { code, stderr } = await runTenon([command, 'other', '--', 'node', 'server.js']);
      expect(code).toBe(1);
      expect(stderr).toContain('Two servers are named: "other", and the command after --');
    },
  );

  it.each([
    ['a URL with a password', ['http://ada:secret@127.0.0.1/mcp'], 'must not hold a user name or password'],
    ['a header that HTTP does not allow', ['http://127.0.0.1/mcp', '-H', 'nä: x'], 'not a valid HTTP header'],
  ])('rejects %s, without a stack', async (_, words, text) => {
    const { code, stderr } = await runTenon(['list', ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/\n\s+at |TypeError|secret/);
  });
});
