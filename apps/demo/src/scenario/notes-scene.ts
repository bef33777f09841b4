import { activitySteps } from './activity-steps.js';
import { byRevision } from './columns.js';
import { connectionSteps } from './connection-steps.js';
import { type Expectations, expectations, type RowName } from './expectations.js';
import { promptSteps } from './prompt-steps.js';
import { questionSteps } from './question-steps.js';
import { resourceSteps } from './resource-steps.js';
import { openColumn, type Scene } from './scene.js';
import { setStage, strike } from './set-stage.js';
import type { Steps } from './stage.js';
import { toolSteps } from './tool-steps.js';
import type { Transport } from './transports.js';

const steps: Steps<Record<RowName, unknown>> = {
  ...connectionSteps,
  ...toolSteps,
  ...resourceSteps,
  ...promptSteps,
  ...questionSteps,
  ...activitySteps,
};

/** Everything the notes server does, in every revision over every transport that it has. */
export function notesScene(transports: readonly Transport[], expected: Expectations = expectations): Scene {
  const columns = byRevision(transports, (revision, transport) => ({
    revision,
    transport: transport.name,
    open: async (folder: string, signal: AbortSignal) =>
      openColumn(steps, await setStage({ revision, transport, folder }, signal), strike),
  }));
  return { expectations: expected, columns, widest: 8 };
}
