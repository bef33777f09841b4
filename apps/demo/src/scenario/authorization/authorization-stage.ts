import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { startTestAuthorizationServer, type TestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { noteScopes } from '../../notes/note-scopes.js';
import { createNotesServer } from '../../notes/notes-server.js';
import { notesGuard } from '../../notes/protect-notes.js';
import { seedNotes } from '../../notes/seed-notes.js';
import { type Destination, User } from './user.js';

/** A protected server, the authorization server it trusts, and two users. */
export interface AuthorizationStage {
  readonly authorization: TestAuthorizationServer;
  readonly serving: HttpServing;
  readonly destination: Destination;
  /** Agrees to everything. */
  readonly ada: User;
  /** Denies everything. */
  readonly eve: User;
  /** Errors that either end reported. */
  readonly reported: readonly string[];
}

/** Starts an authorization server for demonstrations, and a notes server that trusts it. */
export async function setAuthorizationStage(revision: string, folder: string): Promise<AuthorizationStage> {
  const reported: string[] = [];
  const report = (what: string) => void reported.push(what);
  const onError = (error: unknown, where: string) => report(`server, ${where}: ${error}`);
  const server = createNotesServer(await seedNotes(folder), { onError });
  const authorization = await startTestAuthorizationServer({
    user: ({ headers }) => (headers.cookie === 'user=ada' ? 'ada' : 'deny'),
    // No user may delete.
    grantScopes: (scopes) => scopes.filter((scope) => scope !== noteScopes.delete),
  });
  try {
    const serving = await serveHttp(server, { guard: notesGuard(authorization.issuer) });
    const { url } = serving;
    const destination = { url, revision, report };
    const ada = new User(destination, 'user=ada');
    const eve = new User(destination, 'user=eve');
    return { authorization, serving, destination, ada, eve, reported };
  } catch (error) {
    await authorization.close();
    throw error;
  }
}

/** Ends the servers and clients. */
export async function closeAuthorizationStage(stage: AuthorizationStage): Promise<void> {
  await Promise.all([stage.ada.leave(), stage.eve.leave()]);
  await Promise.all([stage.serving.close(), stage.authorization.close()]);
}
