import { setTimeout as delay } from 'node:timers/promises';
import { type Progress, SessionError, textOf } from '@tenon/mcp-client';
import type { expectations } from '../expectations.js';
import type { Stage, Steps } from '../stage/stage.js';
import type { NotesClient } from '../transports/transports.js';
import { writePages, writeTrees } from './import-files.js';

/** Progress, logs, cancellation and closing. */
export const activitySteps: Steps<typeof expectations.activity> = {
  progress: async (stage) => {
    const received = await progressOfImport(stage);
    const last = received.at(-1);
    const grows = received.every((one, index) => one.progress === index + 1);
    return grows ? `${last?.progress} of ${last?.total}` : JSON.stringify(received);
  },
  'progress message': async (stage) => (await progressOfImport(stage)).at(-1)?.message ?? '– none',
  'log level': async (stage) => {
    const { client, user } = stage;
    const file = await writeTrees(stage.rootFolder);
    const counts = [];
    // All three notes exist already, which logs a warning each; the start of the import logs an info.
    for (const level of ['warning', 'info'] as const) {
      await client.setLogLevel(level);
      user.logged.length = 0;
      await client.callTool('import', { file, pace: 0 });
      counts.push(new Set(user.logged).size);
    }
    return counts.join(' then ');
  },
  cancellation: (stage) => cancelImport(stage),
  batch: async ({ plain }) => {
    const before = plain.sent();
    const [tools, prompts] = plain.client.batch([
      { method: 'tools/list', params: {} },
      { method: 'prompts/list', params: {} },
    ]);
    const counts = [(await tools).tools.length, (await prompts).prompts.length];
    if (counts.join() !== '5,2') return counts.join();
    const frames = plain.sent() - before;
    return frames === 1 ? '1 frame' : `– ${frames} frames`;
  },
  close: (stage) => closeWhileBusy(stage),
  'reported errors': ({ user }) => user.reported[0] ?? 'none',
};

async function progressOfImport({ client, rootFolder }: Stage): Promise<readonly Progress[]> {
  const received: Progress[] = [];
  const onProgress = (progress: Progress) => received.push(progress);
  await client.callTool('import', { file: await writeTrees(rootFolder), pace: 5 }, { onProgress });
  return received;
}

/** Cancels an import after its second note, and checks that the server stopped too. */
async function cancelImport(stage: Stage): Promise<string> {
  const { client } = stage;
  const giveUp = new AbortController();
  const onProgress = ({ progress }: Progress) => {
    if (progress === 2) giveUp.abort();
  };
  const file = await writePages(stage.rootFolder);
  const { signal } = giveUp;
  const before = (await status(client)).imports;
  const outcome = await failure(client.callTool('import', { file }, { signal, onProgress }));
  if (outcome !== 'cancelled') return outcome;
  let { imports } = await status(client);
  while (imports.running > 0) {
    await delay(5);
    imports = (await status(client)).imports;
  }
  return imports.stopped === before.stopped + 1 ? 'stopped' : 'went on';
}

/** Closes the client during a call: the call must fail as closed, and the server process must end. */
async function closeWhileBusy({ client, opened, rootFolder }: Stage): Promise<string> {
  const server = (await status(client)).process;
  const file = await writePages(rootFolder);
  let begun = () => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const outcome = failure(client.callTool('import', { file }, { onProgress: begun }));
  await running;
  await opened.close();
  if (client.state !== 'closed') return client.state;
  return server !== process.pid && isAlive(server) ? 'left over' : outcome;
}

/** Returns the reason that a call failed. */
function failure(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'finished',
    (error: unknown) => (error instanceof SessionError ? error.reason : `${error}`),
  );
}

interface Status {
  readonly process: number;
  readonly imports: { readonly running: number; readonly stopped: number };
}

async function status(client: NotesClient): Promise<Status> {
  const { contents } = await client.readResource('notes:///status');
  return JSON.parse(textOf(contents));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
