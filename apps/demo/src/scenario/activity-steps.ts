import { setTimeout as delay } from 'node:timers/promises';
import { type Progress, SessionError, textOf } from '@tenon/mcp-client';
import { writePages, writeTrees } from './desk-files.js';
import type { expectations } from './expectations.js';
import type { Stage, Steps } from './stage.js';
import type { NotesClient } from './transports.js';

/** What happens while calls run, and how they and the connection end. */
export const activitySteps: Steps<typeof expectations.activity> = {
  progress: async (stage) => {
    const heard = await progressOfImport(stage);
    const last = heard.at(-1);
    const grows = heard.every((one, index) => one.progress === index + 1);
    return grows ? `${last?.progress} of ${last?.total}` : JSON.stringify(heard);
  },
  'progress message': async (stage) => (await progressOfImport(stage)).at(-1)?.message ?? '– none',
  'log level': async (stage) => {
    const { client, user } = stage;
    const file = await writeTrees(stage.desk);
    const counts = [];
    // All three notes are there already, which is worth a warning each; the start of the import is worth an info.
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
  complaints: ({ user }) => user.complaints[0] ?? 'none',
};

async function progressOfImport({ client, desk }: Stage): Promise<readonly Progress[]> {
  const heard: Progress[] = [];
  const onProgress = (progress: Progress) => heard.push(progress);
  await client.callTool('import', { file: await writeTrees(desk), pace: 5 }, { onProgress });
  return heard;
}

/** Gives up an import after its second note, and looks whether the server did so too. */
async function cancelImport(stage: Stage): Promise<string> {
  const { client } = stage;
  const giveUp = new AbortController();
  const onProgress = ({ progress }: Progress) => {
    if (progress === 2) giveUp.abort();
  };
  const file = await writePages(stage.desk);
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

/** Ends the client while a call is under way: the call must fail as closed, and no process may be left. */
async function closeWhileBusy({ client, opened, desk }: Stage): Promise<string> {
  const server = (await status(client)).process;
  const file = await writePages(desk);
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

/** Why a call of this end failed. */
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
