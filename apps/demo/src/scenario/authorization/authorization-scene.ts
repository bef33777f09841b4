import { byRevision } from '../columns.js';
import { authorizationExpectations } from '../expectations.js';
import { openColumn, type Scene } from '../scene.js';
import type { Transport } from '../transports/transports.js';
import { closeAuthorizationStage, setAuthorizationStage } from './authorization-stage.js';
import { authorizationSteps } from './authorization-steps.js';

/** The notes server with an authorization server, in every revision that has authorization. */
export function authorizationScene(transport: Pick<Transport, 'name' | 'revisions'>): Scene {
  const columns = byRevision([transport], (revision) => ({
    revision,
    transport: transport.name,
    open: async (folder: string) =>
      openColumn(authorizationSteps, await setAuthorizationStage(revision, folder), closeAuthorizationStage),
  }));
  return { title: 'authorization', expectations: authorizationExpectations, columns, widest: 20 };
}
