import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { NoteFolder } from './notes/note-folder.js';
import { announceChanges } from './notes/note-resources.js';
import { noteScopes } from './notes/note-scopes.js';
import { createNotesServer, type NotesServer } from './notes/notes-server.js';
import { seedNotes } from './notes/seed-notes.js';

const help = `An MCP server for notes: Markdown files in a folder. It speaks over stdin and stdout, or over HTTP.

Usage: node apps/demo/dist/notes.js [folder] [--http <port> [--issuer <url>]] [--revision <date>]...

  folder              where the notes are; without it, a temporary folder with a few notes, removed at the end
  --http <port>       listen on 127.0.0.1, 0 for any free port; says where as one line of JSON, and ends on SIGTERM or
                      SIGINT. "url" is the address for every client, "sse" the one that the oldest of them need
  --issuer <url>      let in only those with an access token of this authorization server; writing takes the scope
                      ${noteScopes.write}, deleting ${noteScopes.delete}, and everything ${noteScopes.read}
  --revision <date>   a revision of the protocol to speak; all by default
  --help              show this text
`;

const options = {
  http: { type: 'string' },
  issuer: { type: 'string' },
  revision: { type: 'string', multiple: true },
  help: { type: 'boolean' },
} as const;

interface Wanted {
  readonly folder: string | undefined;
  readonly port: number | undefined;
  readonly issuer: string | undefined;
  readonly revision: readonly string[] | undefined;
}

/** What the command line says, or what is wrong with it. */
function readCommandLine() {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) return 'Give one folder';
    const { http, issuer, revision, help } = values;
    if (http !== undefined && !(/^\d+$/.test(http) && Number(http) <= 65_535)) {
      return `--http must be a port from 0 to 65535, not '${http}'`;
    }
    if (issuer !== undefined && http === undefined) return '--issuer needs --http';
    const port = http === undefined ? undefined : Number(http);
    return { folder: positionals[0], port, issuer, revision, help };
  } catch (error) {
    return reasonOf(error);
  }
}

/** What went wrong, as part of a sentence. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.( To specify .*)?$/s, '');
}

/** Serves until the client is gone. */
async function serve({ folder, port, issuer, revision: revisions }: Wanted): Promise<void> {
  const temporary = folder === undefined ? await mkdtemp(join(tmpdir(), 'notes-')) : undefined;
  try {
    const notes =
      temporary === undefined ? new NoteFolder(resolve(folder ?? '')) : await seedNotes(temporary);
    // A folder that cannot be read is told now, not with the first call.
    await notes.names();
    const server = createNotesServer(notes, revisions && { revisions });
    const watch = await announceChanges(server, notes);
    try {
      if (port === undefined) await (await serveStdio(server)).closed;
      else await listen(server, port, issuer);
    } finally {
      watch.close();
    }
  } finally {
    // A call that was just cancelled may be writing its last file.
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Serves over HTTP, in every revision and on both transports, until the process is told to end. */
async function listen(server: NotesServer, port: number, issuer: string | undefined): Promise<void> {
  // The older transport has sessions alone.
  const hasSessions = server.revisions.some(({ lifecycle }) => lifecycle === 'handshake');
  const mounts = hasSessions ? [sseMount(server)] : [];
  // Loaded by those who need it alone, and before the port is open, so that nobody slips in.
  const protection = issuer === undefined ? undefined : await import('./notes/protect-notes.js');
  const serving = await serveHttp(server, { port, mounts });
  try {
    if (issuer !== undefined) protection?.protectNotes(server, { issuer, url: serving.url });
    const ended = new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
      // A program that started this one and talks to it is gone when that channel is.
      process.once('disconnect', resolve);
    });
    const [sse] = mounts.flatMap(({ paths }) => paths).map((path) => new URL(path, serving.url).href);
    process.stdout.write(`${JSON.stringify({ url: serving.url, sse })}\n`);
    await ended;
  } finally {
    await serving.close();
    // The channel would keep the process alive.
    if (process.connected) process.disconnect();
  }
}

function fail(why: string): void {
  process.stderr.write(`notes: ${why}. See --help.\n`);
  process.exitCode = 2;
}

const wanted = readCommandLine();
if (typeof wanted === 'string') {
  fail(wanted);
} else if (wanted.help) {
  process.stdout.write(help);
} else {
  await serve(wanted).catch((error: unknown) => fail(reasonOf(error)));
}
