import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hosted } from '../../test/hosted.js';
import { program } from '../../test/program.js';
import type { HostOptions, ServerState } from '../index.js';
import { type ConfigServersOptions, configServers } from './config-servers.js';

const allow: Partial<HostOptions> = { policy: () => 'allow' };

function file(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'mcp.json');
  write(path, content);
  return path;
}

/** Replaces a file as editors do. */
function write(path: string, content: unknown): void {
  writeFileSync(`${path}.tmp`, typeof content === 'string' ? content : JSON.stringify(content));
  renameSync(`${path}.tmp`, path);
}

async function servers(path: string, options: ConfigServersOptions = {}) {
  const live = await configServers(path, options);
  onTestFinished(() => live.close());
  return live;
}

/** Resolves with the next state of a server that fits. */
function state(
  host: ReturnType<typeof hosted>['host'],
  fits: (state: ServerState) => boolean,
): Promise<ServerState> {
  return new Promise((resolve) => {
    host.servers.onStateChange((next) => {
      if (fits(next)) resolve(next);
    });
  });
}

it('fills variables and inputs in, requests each input once, and leaves out what cannot be used', async () => {
  const { target } = program();
  const { command, args } = target;
  const path = file({
    inputs: [{ id: 'key', type: 'promptString' }],
    servers: {
      one: { command, args, env: { SECRET_OF_TEST: `${'$'}{input:key}` } },
      two: { command, args, env: { SECRET_OF_TEST: `${'$'}{input:key}-${'$'}{NAME}` } },
      three: { command, args: [`${'$'}{MISSING_VARIABLE}`] },
      four: { command: 5 },
      off: { command, disabled: true },
    },
  });
  const asked: string[] = [];
  const problems: string[] = [];
  const live = await servers(path, {
    env: { NAME: 'ada' },
    input: ({ id }, server) => {
      asked.push(`${id} for ${server}`);
      return 'k';
    },
    onProblem: ({ server, message }) => problems.push(`${server}: ${message}`),
    watch: false,
  });
  const { host } = hosted({}, { ...allow, servers: live });
  expect(host.servers.list().map(({ name }) => name)).toEqual(['one', 'two']);
  expect(asked).toEqual(['key for one']);
  const texts = await Promise.all(['one__echo', 'two__echo'].map((name) => host.callTool(name)));
  expect(texts.map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'k' }],
    [{ type: 'text', text: 'k-ada' }],
  ]);
  expect(problems.sort()).toEqual([
    expect.stringMatching(/^four: /),
    expect.stringMatching(/^three: .*MISSING_VARIABLE/),
  ]);
});

it('leaves out a server if its input or settings fail, and none of the others', async () => {
  const { command, args } = program().target;
  const path = file({
    inputs: [{ id: 'key', type: 'promptString' }],
    servers: {
      asks: { command, args, env: { KEY: `${'$'}{input:key}` } },
      good: { command, args },
      odd: { command, args },
    },
  });
  for (const watch of [true, false]) {
    const problems: string[] = [];
    const live = await servers(path, {
      watch,
      input: () => {
        throw new Error('The user closed the dialog.');
      },
      settings: (name) => {
        if (name === 'odd') throw new Error('No settings for odd.');
        return {};
      },
      onProblem: ({ server, message }) => problems.push(`${server}: ${message}`),
    });
    expect(Object.keys(live.servers)).toEqual(['good']);
    expect(problems).toEqual(['asks: The user closed the dialog', 'odd: No settings for odd']);
  }
});

it('restarts only the servers that changed in the file, and keeps them while the file is broken', async () => {
  const [one, two] = [program(), program()];
  const entry = ({ target: { command, args } }: typeof one, env = {}) => ({ command, args, env });
  const path = file({ mcpServers: { one: entry(one), two: entry(two) } });
  const problems: string[] = [];
  const broken = { seen: () => {} };
  const sawBroken = new Promise<void>((resolve) => {
    broken.seen = resolve;
  });
  const live = await servers(path, {
    onProblem: ({ message }) => {
      problems.push(message);
      broken.seen();
    },
  });
  const { host } = hosted({}, { ...allow, servers: live });
  await host.servers.start();
  const changed = state(host, ({ name, status }) => name === 'two' && status === 'configured');
  write(path, { mcpServers: { one: entry(one), two: entry(two, { SECRET_OF_TEST: 'new' }) } });
  await changed;
  expect((await host.callTool('two__echo')).content).toEqual([{ type: 'text', text: 'new' }]);
  expect([one.starts(), two.starts()]).toEqual([1, 2]);
  write(path, '{ "mcpServers": ');
  await sawBroken;
  expect(host.servers.list().map(({ name, status }) => [name, status])).toEqual([
    ['one', 'ready'],
    ['two', 'ready'],
  ]);
  const added = state(host, ({ name }) => name === 'three');
  write(path, {
    mcpServers: { one: entry(one), two: entry(two, { SECRET_OF_TEST: 'new' }), three: entry(program()) },
  });
  await added;
  expect((await host.callTool('one__echo')).isError).toBe(false);
  expect([one.starts(), two.starts()]).toEqual([1, 2]);
});

it('rejects a file that is missing, and an unknown option', async () => {
  await expect(configServers('/nonexistent/mcp.json')).rejects.toMatchObject({ name: 'ConfigError' });
  await expect(configServers('x', { wach: true } as ConfigServersOptions)).rejects.toThrow(/watch/);
});
