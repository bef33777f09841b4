import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../dist/authorization/', import.meta.url));
const server = spawn(process.execPath, [`${folder}sign-in-server.js`], {
  env: { ...process.env, PORT: '0' },
});
let url: string;
let state: string;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'tenon-sign-in-'));
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  url = line;
});

afterAll(async () => {
  server.kill();
  await rm(state, { recursive: true, force: true });
});

/** Runs the program; its user opens each page that it tells of, and decides there. */
async function run(command: string, ...decisions: readonly ('allow' | 'deny')[]) {
  const env = { ...process.env, XDG_STATE_HOME: state, CI: 'true' };
  const child = spawn(process.execPath, [`${folder}sign-in.js`, url, command], { env });
  const printed = text(child.stdout);
  const pages: string[] = [];
  const reported: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    if (!/^https?:\S+$/.test(line)) reported.push(line);
    else pages.push(await decide(line, decisions[pages.length] ?? 'deny'));
  }
  return { printed: (await printed).trim(), pages, reported };
}

/** Allows or denies access on a sign-in page, as a user would. Returns the text of the last page. */
async function decide(page: string, decision: 'allow' | 'deny'): Promise<string> {
  const asked = await fetch(page);
  const form = /action="([^"]+)"[\s\S]*name="request" value="([^"]+)"/.exec(await asked.text());
  const [, action = '', request = ''] = form ?? [];
  const body = new URLSearchParams({ request, decision });
  const shown = await fetch(new URL(action, asked.url), { method: 'POST', body });
  return /<h1>(.*)<\/h1>/.exec(await shown.text())?.[1] ?? '';
}

test('signs a user in once, and again when a call needs more scopes', async () => {
  expect(await run('read', 'deny')).toMatchObject({
    printed: 'You denied access: nothing was read.',
    pages: ['Access was refused'],
  });
  expect(await run('read', 'allow')).toMatchObject({ printed: 'Nothing yet', pages: ['You are signed in'] });
  expect(await run('read')).toEqual({ printed: 'Nothing yet', pages: [], reported: [] });
  const saved = await run('save', 'allow');
  expect(saved).toMatchObject({ printed: 'Saved for ada', pages: ['You are signed in'] });
  expect(saved.reported).toContain(`${url}: signed-in`);
  expect(await run('read')).toMatchObject({ printed: 'Buy milk', pages: [] });
  expect(await run('start-over', 'allow')).toMatchObject({ printed: 'Signed in again' });
});

test("what is kept is the user's alone", async () => {
  const kept = join(state, 'tenon');
  const [file = ''] = await readdir(kept);
  expect((await stat(kept)).mode & 0o777).toBe(0o700);
  expect((await stat(join(kept, file))).mode & 0o777).toBe(0o600);
});
