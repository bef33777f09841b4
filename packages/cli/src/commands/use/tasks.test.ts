import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, ToolError } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { tasks } from '@tenon/mcp-tasks/server';
import { openServer } from '@tenon/mcp-workbench';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hostile } from '../../../test/hostile-server.js';
import { type RunOptions, type RunOutcome, runTenon } from '../../../test/run-tenon.js';
import { ownFolder } from '../../server/named-server.js';
import { storeReference, type TaskStart, TaskStarter } from '../../tasks/start-task.js';
import { TaskStore } from '../../tasks/task-store.js';

let serving: HttpServing;
let folder: string;
let env: Readonly<Record<string, string>>;
/** Ends the running handlers of `render`. */
let finish: () => void;
let close: () => Promise<void>;

const task = { support: 'always', pollInterval: 100 } as const;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-tasks-'));
  env = { XDG_STATE_HOME: folder, HOME: folder };
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const server = createServer({ name: 'studio', version: '1.0.0' }, { extensions: [tasks()] })
    .tool('render', { task }, async (_, ctx) => {
      await Promise.race([finished, rejection(ctx.signal)]);
      return '100 frames';
    })
    .tool('fail', { task }, () => {
      throw new ToolError('no frames');
    })
    .tool('quick', {}, () => 'at once')
    .tool('hostile', { task }, async (_, ctx) => {
      const answer = await ctx.elicit('format', {
        message: hostile('Which?'),
        schema: z.object({ [hostile('format')]: z.string() }),
      });
      return answer.action;
    })
    .tool('export', { task }, async (_, ctx) => {
      const answer = await ctx.elicit('format', {
        message: 'Which format?',
        schema: z.object({ format: z.enum(['webm', 'mp4']) }),
      });
      return answer.action === 'accept' ? `as ${answer.content.format}` : answer.action;
    });
  serving = await serveHttp(server);
  close = async () => {
    finish();
    await serving.close();
    await server.close();
    await rm(folder, { recursive: true });
  };
});

afterEach(() => close());

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

/** Starts a tool in the way of `tenon call --task`, and closes the client. */
async function start(name: string, revision: string): Promise<TaskStart> {
  const target = { kind: 'url', url: serving.url } as const;
  const starter = new TaskStarter();
  const client = await openServer(target, {
    info: { name: 'test', version: '1' },
    revision,
    ...starter.open({ onElicit: () => ({ action: 'decline' }) }),
  });
  const started = await starter.start(client, { name });
  if (started.kind === 'task')
    await storeReference(started, target, new TaskStore(ownFolder({ env, cwd: folder })));
  await client.close();
  return started;
}

async function idOf(name: string, revision: string): Promise<string> {
  const started = await start(name, revision);
  if (started.kind !== 'task') throw new Error('no task');
  return started.reference.taskId;
}

/** The words that name a task. */
const named = (id: string) => (id.startsWith('-') ? ['--id', id] : [id]);

const tenon = (words: readonly string[], options: RunOptions = {}): Promise<RunOutcome> =>
  runTenon(['tasks', ...words], { env, ...options });

describe.each(['2026-07-28', '2025-11-25'])('tenon tasks in %s', (revision) => {
  it('resumes a stored task by the beginning of its id', async () => {
    const id = await idOf('render', revision);
    finish();
    const outcome = await tenon(['resume', ...named(id.slice(0, 8))]);
    expect(outcome).toEqual({ code: 0, stdout: '100 frames\n', stderr: '' });
  });

  it('lists stored tasks without a connection', async () => {
    const id = await idOf('render', revision);
    await serving.close();
    const { stdout } = await tenon(['list']);
    expect(stdout).toContain(serving.url);
    expect(stdout).toMatch(new RegExp(`${id} +working +render`));
  });

  it('lists the tasks of a server with their state at present', async () => {
    const id = await idOf('render', revision);
    finish();
    await tenon(['resume', ...named(id)]);
    const { stdout } = await tenon(['list', serving.url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ taskId: id, status: 'completed', tool: 'render' }]);
  });

  it('prints the state of a task of a server', async () => {
    const id = await idOf('render', revision);
    const { stdout } = await tenon(['get', serving.url, ...named(id), '--json', '--revision', revision]);
    expect(JSON.parse(stdout)).toMatchObject({ taskId: id, status: 'working' });
    expect((await tenon(['get', ...named(id)])).stdout).toMatch(/^status +working/m);
  });

  it('accepts a task reference as JSON', async () => {
    const started = await start('render', revision);
    const reference = started.kind === 'task' ? JSON.stringify(started.reference) : '';
    await rm(folder, { recursive: true });
    const { stdout } = await tenon(['get', reference, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'working' });
  });

  it('refuses the result of a running task, and names the command that waits', async () => {
    const id = await idOf('render', revision);
    const { code, stderr } = await tenon(['result', ...named(id)]);
    expect(code).toBe(1);
    expect(stderr).toContain(`hint: Wait for it: tenon tasks resume ${named(id).join(' ')}`);
  });

  it('prints the result of a task that has ended', async () => {
    const id = await idOf('render', revision);
    finish();
    await tenon(['watch', ...named(id)]);
    expect(await tenon(['result', ...named(id)])).toMatchObject({ code: 0, stdout: '100 frames\n' });
  });

  it('exits with 5 when the tool of the task failed', async () => {
    const id = await idOf('fail', revision);
    const { code, stdout } = await tenon(['resume', ...named(id)]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'no frames\n' });
  });

  it('prints each change of a task', async () => {
    const id = await idOf('render', revision);
    const { code, stdout } = await tenon(['watch', ...named(id)], {
      onStdout: (text) => {
        if (text.includes('working')) finish();
      },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/working.*\n.*completed/);
  });

  it('cancels a task', async () => {
    const id = await idOf('render', revision);
    const { code } = await tenon(['cancel', ...named(id)]);
    expect(code).toBe(0);
    await tenon(['watch', ...named(id)]);
    expect((await tenon(['get', ...named(id)])).stdout).toContain('cancelled');
  });

  it('leaves the task running after Ctrl+C, and says how to go on', async () => {
    const id = await idOf('render', revision);
    const interruption = new AbortController();
    const { code, stderr } = await tenon(['watch', ...named(id)], {
      signal: interruption.signal,
      onStdout: () => interruption.abort(),
    });
    expect(code).toBe(130);
    expect(stderr).toContain(`tenon tasks resume ${named(id).join(' ')}`);
    expect((await tenon(['get', ...named(id)])).stdout).toContain('working');
  });

  it.each([
    ['leaves the task running', [], 'working'],
    ['cancels the task with --cancel-on-interrupt', ['--cancel-on-interrupt'], 'cancelled'],
  ])('%s after Ctrl+C while it follows the task', async (_, options, status) => {
    const id = await idOf('render', revision);
    const interruption = new AbortController();
    const { code } = await tenon(['resume', ...named(id), ...options], {
      tty: true,
      signal: interruption.signal,
      onStderr: (text) => {
        if (text.includes('working')) interruption.abort();
      },
    });
    expect(code).toBe(130);
    if (status === 'cancelled') await tenon(['watch', ...named(id)]);
    expect((await tenon(['get', ...named(id)])).stdout).toContain(status);
  });

  it('answers input requests with a file', async () => {
    const id = await idOf('export', revision);
    const file = join(folder, 'answers.json');
    const answer = { action: 'accept', content: { format: 'mp4' } };
    await writeFile(file, JSON.stringify({ 'Which format?': answer }));
    expect(await tenon(['resume', ...named(id), '--answers', file])).toMatchObject({
      code: 0,
      stdout: 'as mp4\n',
    });
  });

  it('leaves an input request open when there is no answer', async () => {
    const id = await idOf('export', revision);
    const { code, stderr } = await tenon(['resume', ...named(id)]);
    expect(code).toBe(1);
    expect(stderr).toContain('The server requests input: "Which format?"');
    expect((await tenon(['get', ...named(id)])).stdout).toContain('input_required');
  });

  it('returns the result of a tool that is not a task', async () => {
    expect(await start('quick', revision)).toMatchObject({ kind: 'result' });
  });
});

describe.each(['2026-07-28', '2025-11-25'])('tenon call --task in %s', (revision) => {
  const call = (...words: readonly string[]) =>
    runTenon(['call', serving.url, ...words, '--task', '--revision', revision], { env });

  it('prints the id of the task, which tenon tasks resume accepts', async () => {
    const { code, stdout, stderr } = await call('render');
    expect(code).toBe(0);
    const id = stdout.trim();
    expect(stderr).toContain(`tenon tasks resume ${named(id).join(' ')}`);
    finish();
    expect(await tenon(['resume', ...named(id)])).toMatchObject({ code: 0, stdout: '100 frames\n' });
  });

  it('prints the reference as JSON', async () => {
    const { stdout } = await call('render', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ endpoint: serving.url, call: { name: 'render' } });
    expect((await tenon(['get', stdout.trim()])).stdout).toMatch(/^status +working/m);
  });

  it('leaves input requests to the one who resumes the task', async () => {
    const id = (await call('export')).stdout.trim();
    const file = join(folder, 'answers.json');
    await writeFile(file, JSON.stringify({ '*': { content: { format: 'webm' } } }));
    const resumed = await tenon(['resume', ...named(id), '--answers', file]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'as webm\n' });
  });

  it('prints the result when the server answers at once', async () => {
    const { stdout, stderr } = await call('quick');
    expect(stdout).toBe('at once\n');
    expect(stderr).toContain('without a task');
  });
});

describe('tenon tasks answer', () => {
  it('answers an input request and returns at once', async () => {
    const id = await idOf('export', '2026-07-28');
    const { code } = await tenon(['answer', ...named(id), '--accept', '{"format":"webm"}']);
    expect(code).toBe(0);
    expect(await tenon(['resume', ...named(id)])).toMatchObject({ code: 0, stdout: 'as webm\n' });
  });

  it.each(['', '--json'])(
    'prints no control character of an input request, with the option %j',
    async (option) => {
      const id = await idOf('hostile', '2026-07-28');
      for (const command of ['answer', 'get']) {
        const { stdout, stderr } = await tenon([command, ...named(id), ...(option === '' ? [] : [option])]);
        expect(stdout + stderr).toContain('Which?');
        expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|[\u202e\u2066]/u);
      }
    },
  );

  it('lists the open input requests when no answer is given', async () => {
    const id = await idOf('export', '2026-07-28');
    const { code, stderr } = await tenon(['answer', ...named(id)]);
    expect(code).toBe(1);
    expect(stderr).toContain('format: Which format? (format)');
  });

  it('names tenon tasks resume where the server sends its input requests itself', async () => {
    const id = await idOf('export', '2025-11-25');
    const { code, stderr } = await tenon(['answer', ...named(id), '--decline']);
    expect(code).toBe(1);
    expect(stderr).toContain(`tenon tasks resume ${named(id).join(' ')}`);
  });
});

describe('stored tasks', () => {
  it('are in a file that only the user can read, without the query of the URL', async () => {
    await idOf('render', '2026-07-28');
    const path = join(folder, 'tenon', 'tasks.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const target = { kind: 'url', url: `${serving.url}?key=secret` } as const;
    const started = await start('render', '2026-07-28');
    if (started.kind === 'task')
      await storeReference(started, target, new TaskStore(ownFolder({ env, cwd: folder })));
    expect(await readFile(path, 'utf8')).not.toContain('secret');
  });

  it('are removed when the server no longer knows them', async () => {
    const id = await idOf('render', '2026-07-28');
    const { port } = new URL(serving.url);
    await serving.close();
    const other = createServer({ name: 'studio', version: '1.0.0' }, { extensions: [tasks()] });
    serving = await serveHttp(other, { port: Number(port) });
    expect(await tenon(['list', serving.url])).toMatchObject({ code: 0, stderr: 'There are no tasks.\n' });
    expect((await tenon(['get', ...named(id)])).stderr).toContain('No stored task');
    await other.close();
  });

  it.each([
    [['get', 'abcdef'], 'No stored task has the id "abcdef"'],
    [['get', '{"taskId":1}'], 'not a task reference'],
    [['get', '{"taskId"'], 'is not JSON'],
  ])('reject %j', async (words, text) => {
    const { code, stderr } = await tenon(words);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
  });

  it('are reported as unusable when the file has another content', async () => {
    await idOf('render', '2026-07-28');
    await writeFile(join(folder, 'tenon', 'tasks.json'), 'garbage', { mode: 0o600 });
    const { code, stderr } = await tenon(['list']);
    expect(code).toBe(1);
    expect(stderr).toContain('The list of tasks cannot be used');
  });
});
