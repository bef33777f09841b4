import { type ClientOptions, connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { stdioTarget } from '@tenon/mcp-client/stdio';
import { NoteFolder } from '../../notes/note-folder.js';
import { announceChanges } from '../../notes/note-resources.js';
import { createNotesServer, type NotesServer } from '../../notes/notes-server.js';
import { counting } from './counting.js';

/** A client with the types of the notes server. */
export type NotesClient = Awaited<ReturnType<typeof connect<NotesServer>>>;

/** The notes to serve, and the options of client and server. */
export interface ConnectionSetup {
  /** Folder of the notes. */
  readonly folder: string;
  /** Revisions that the server speaks; all by default. */
  readonly serves?: readonly string[];
  readonly options: ClientOptions;
  /** Called with each error that the server reports. */
  readonly onServerError: (what: string) => void;
}

/** A connected client. */
export interface Opened {
  readonly client: NotesClient;
  /** The number of frames the client has sent. */
  sent(): number;
  /** Connects another client to the same server. Absent if the server ends with its client. */
  readonly another?: (options: ClientOptions) => Promise<NotesClient>;
  /** Ends the client and its server. */
  close(): Promise<void>;
}

/** A transport to a server. */
export interface Transport {
  readonly name: string;
  /** Revisions that have it; all by default. */
  readonly revisions?: readonly string[];
  /** Starts a notes server and connects to it. */
  open(setup: ConnectionSetup): Promise<Opened>;
}

/** stdio to a child process. @param script - path of the built notes server. */
export function stdio(script: string): Transport {
  return {
    name: 'stdio',
    async open({ folder, serves = [], options, onServerError }) {
      const revisions = serves.flatMap((revision) => ['--revision', revision]);
      const child = {
        command: process.execPath,
        args: [script, folder, ...revisions],
        stderr: onServerError,
      };
      const counter = counting(stdioTarget(child));
      const client = await connect<NotesServer>(counter.dialer, options);
      return { client, sent: counter.sent, close: () => client.close() };
    },
  };
}

/** Memory, to a server in this process. */
export const memory: Transport = {
  name: 'memory',
  async open({ folder, serves, options, onServerError }) {
    const notes = new NoteFolder(folder);
    const onError = (error: unknown, where: string) => onServerError(`${where}: ${error}`);
    const server = createNotesServer(notes, serves ? { revisions: serves, onError } : { onError });
    const watch = await announceChanges(server, notes);
    const close = async () => {
      watch.close();
      await server.close();
    };
    const counter = counting(memoryTarget(server));
    try {
      const client = await connect<NotesServer>(counter.dialer, options);
      const another = (own: ClientOptions) => connect<NotesServer>(memoryTarget(server), own);
      return { client, sent: counter.sent, another, close: () => client.close().then(close) };
    } catch (error) {
      await close();
      throw error;
    }
  },
};
