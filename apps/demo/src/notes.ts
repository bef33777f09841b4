import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serverPort } from '@tenon/mcp-protocol';
import { type ServeHttpOptions, serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { NoteFolder } from './notes/note-folder.js';
import { announceChanges } from './notes/note-resources.js';
import { localUser, noteScopes } from './notes/note-scopes.js';
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

interface Arguments {
  readonly folder: string | undefined;
  readonly port: number | undefined;
  readonly issuer: string | undefined;
  readonly revision: readonly string[] | undefined;
}

/** Returns the arguments, or a sentence about the wrong one. */
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

/** The message of an error, as a part of a sentence. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.( To specify .*)?$/s, '');
}

/** Serves until the client disconnects. */
async function serve({ folder, port, issuer, revision: revisions }: Arguments): Promise<void> {
  const temporary = folder === undefined ? await mkdtemp(join(tmpdir(), 'notes-')) : undefined;
  try {
    const notes =
      temporary === undefined ? new NoteFolder(resolve(folder ?? '')) : await seedNotes(temporary);
    // Report an unreadable folder now instead of with the first call.
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
    // A call that was just cancelled may still be writing a file.
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Serves over HTTP, in every revision and on both transports, until the process is ended. */
async function listen(server: NotesServer, port: number, issuer: string | undefined): Promise<void> {
  // HTTP+SSE has only revisions with sessions.
  const hasSessions = server[serverPort].revisions.some(({ lifecycle }) => lifecycle === 'handshake');
  const mounts = hasSessions ? [sseMount(server)] : [];
  const serving = await serveHttp(server, { port, mounts, ...(await accessControl(issuer)) });
  try {
    const ended = new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
      // The IPC channel closes when the parent process ends.
      process.once('disconnect', resolve);
    });
    const [sse] = mounts.flatMap(({ paths }) => paths).map((path) => new URL(path, serving.url).href);
    process.stdout.write(`${JSON.stringify({ url: serving.url, sse })}\n`);
    await ended;
  } finally {
    await serving.close();
    // An open channel would keep the process alive.
    if (process.connected) process.disconnect();
  }
}

/** Accepts every caller on this machine or, with an issuer, callers with a token of that authorization server. */
async function accessControl(issuer: string | undefined): Promise<ServeHttpOptions> {
  if (issuer === undefined) return { authenticate: () => localUser };
  const { notesGuard } = await import('./notes/protect-notes.js');
  return { guard: notesGuard(issuer) };
}

function fail(why: string): void {
  process.stderr.write(`notes: ${why}. See --help.\n`);
  process.exitCode = 2;
}

const args = readCommandLine();
if (typeof args === 'string') {
  fail(args);
} else if (args.help) {
  process.stdout.write(help);
} else {
  await serve(args).catch((error: unknown) => fail(reasonOf(error)));
}
