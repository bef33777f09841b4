import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { startTestAuthorizationServer, type TestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { noteScopes } from '../notes/note-scopes.js';
import { createNotesServer } from '../notes/notes-server.js';
import { protectNotes } from '../notes/protect-notes.js';
import { seedNotes } from '../notes/seed-notes.js';
import { type Destination, Visitor } from './visitor.js';

/** A protected server, the authorization server it trusts, and who comes to it. */
export interface AuthorizationStage {
  readonly authorization: TestAuthorizationServer;
  readonly serving: HttpServing;
  readonly destination: Destination;
  /** Agrees to everything she is asked. */
  readonly ada: Visitor;
  /** Agrees to nothing. */
  readonly eve: Visitor;
  /** What either end reported as wrong. */
  readonly complaints: readonly string[];
}

/** Starts an authorization server, for demonstrations only, and a notes server that trusts it. */
export async function setAuthorizationStage(revision: string, folder: string): Promise<AuthorizationStage> {
  const complaints: string[] = [];
  const complain = (what: string) => void complaints.push(what);
  const onError = (error: unknown, where: string) => complain(`server, ${where}: ${error}`);
  const server = createNotesServer(await seedNotes(folder), { onError });
  const authorization = await startTestAuthorizationServer({
    user: ({ headers }) => (headers.cookie === 'user=ada' ? 'ada' : 'deny'),
    // Nobody may delete.
    grantScopes: (scopes) => scopes.filter((scope) => scope !== noteScopes.delete),
  });
  try {
    const serving = await serveHttp(server);
    const { url } = serving;
    protectNotes(server, { issuer: authorization.issuer, url });
    const destination = { url, revision, complain };
    const ada = new Visitor(destination, 'user=ada');
    const eve = new Visitor(destination, 'user=eve');
    return { authorization, serving, destination, ada, eve, complaints };
  } catch (error) {
    await authorization.close();
    throw error;
  }
}

/** Ends what was started. */
export async function strikeAuthorizationStage(stage: AuthorizationStage): Promise<void> {
  await Promise.all([stage.ada.leave(), stage.eve.leave()]);
  await Promise.all([stage.serving.close(), stage.authorization.close()]);
}
