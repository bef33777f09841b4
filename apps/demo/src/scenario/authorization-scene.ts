import { setAuthorizationStage, strikeAuthorizationStage } from './authorization-stage.js';
import { authorizationSteps } from './authorization-steps.js';
import { byRevision } from './columns.js';
import { authorizationExpectations } from './expectations.js';
import { openColumn, type Scene } from './scene.js';
import type { Transport } from './transports.js';

/** The same notes server behind an authorization server, in every revision that has authorization. */
export function authorizationScene(transport: Pick<Transport, 'name' | 'revisions'>): Scene {
  const columns = byRevision([transport], (revision) => ({
    revision,
    transport: transport.name,
    open: async (folder: string) =>
      openColumn(authorizationSteps, await setAuthorizationStage(revision, folder), strikeAuthorizationStage),
  }));
  return { title: 'authorization', expectations: authorizationExpectations, columns, widest: 20 };
}
