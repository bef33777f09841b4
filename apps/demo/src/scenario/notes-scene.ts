import { byRevision } from './columns.js';
import { type Expectations, expectations, type RowName } from './expectations.js';
import { openColumn, type Scene } from './scene.js';
import { closeStage, type Steps, setStage } from './stage/stage.js';
import { activitySteps } from './steps/activity.js';
import { appSteps } from './steps/apps.js';
import { connectionSteps } from './steps/connection.js';
import { hostSteps } from './steps/hosts.js';
import { inputRequestSteps } from './steps/input-requests.js';
import { promptSteps } from './steps/prompts.js';
import { resourceSteps } from './steps/resources.js';
import { skillSteps } from './steps/skills.js';
import { taskSteps } from './steps/tasks.js';
import { toolSteps } from './steps/tools.js';
import type { Transport } from './transports/transports.js';

const steps: Steps<Record<RowName, unknown>> = {
  ...connectionSteps,
  ...toolSteps,
  ...resourceSteps,
  ...skillSteps,
  ...promptSteps,
  ...hostSteps,
  ...appSteps,
  ...inputRequestSteps,
  ...taskSteps,
  ...activitySteps,
};

/** All features of the notes server, in every revision over every transport that it has. */
export function notesScene(transports: readonly Transport[], expected: Expectations = expectations): Scene {
  const columns = byRevision(transports, (revision, transport) => ({
    revision,
    transport: transport.name,
    open: async (folder: string, signal: AbortSignal) =>
      openColumn(steps, await setStage({ revision, transport, folder }, signal), closeStage),
  }));
  return { expectations: expected, columns, widest: 8 };
}
