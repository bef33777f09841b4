import type { Client, ClientOptions } from '@tenon/mcp-client';
import { defineExtension } from '@tenon/mcp-client/extension';

/** One call of a client in a story; the page shows its result below. */
export type Act = (client: Client) => unknown;

/** The client of a story, created for each run. */
export interface ClientStory {
  readonly options?: Partial<ClientOptions>;
  /** The first act follows the connect; the client closes after the last. */
  readonly acts: readonly Act[];
  /** True if the client negotiates the revision instead of using the story's. */
  readonly seeks?: boolean;
}

function connecting(): ClientStory {
  return {
    seeks: true,
    acts: [(client) => [client.revision, client.server], (client) => client.callTool('measure')],
  };
}

function tools(): ClientStory {
  return {
    acts: [
      async (client) => (await client.tools().all()).map(({ name }) => name),
      (client) => client.callTool('add', { a: 40, b: 2 }),
      (client) => client.callTool('show'),
      (client) => client.callTool('break'),
      (client) => client.callTool('plane'),
    ],
  };
}

function resources(): ClientStory {
  return {
    acts: [
      (client) => client.resources().all(),
      (client) => client.resourceTemplates().all(),
      (client) => client.readResource('file:///plans/joint.txt'),
      (client) => client.readResource('file:///plans/joint.txt'),
      (client) => client.readResource('file:///plans/none.txt'),
    ],
  };
}

function prompts(): ClientStory {
  return {
    acts: [
      async (client) => (await client.prompts().all()).map(({ name }) => name),
      (client) => client.getPrompt('explain', { joint: 'dovetail' }),
    ],
  };
}

function completion(): ClientStory {
  const ref = { type: 'ref/prompt', name: 'order' } as const;
  return {
    acts: [
      (client) => client.complete({ ref, argument: { name: 'wood', value: 'as' } }),
      (client) =>
        client.complete({
          ref,
          argument: { name: 'grade', value: '' },
          context: { arguments: { wood: 'oak' } },
        }),
    ],
  };
}

function pagination(): ClientStory {
  return { acts: [async (client) => (await client.resources().all()).map(({ name }) => name)] };
}

function logging(): ClientStory {
  const heard: unknown[] = [];
  return {
    options: { onLog: (message) => void heard.push(message) },
    acts: [
      (client) => client.setLogLevel('error'),
      async (client) => {
        await client.callTool('saw');
        return heard;
      },
    ],
  };
}

function progress(): ClientStory {
  return {
    acts: [
      async (client) => {
        const heard: unknown[] = [];
        await client.callTool('plane', {}, { onProgress: (one) => void heard.push(one) });
        return heard;
      },
    ],
  };
}

function cancellation(): ClientStory {
  return {
    acts: [
      (client) => {
        const stop = new AbortController();
        const call = client.callTool('glue', {}, { signal: stop.signal });
        stop.abort('It holds');
        return call;
      },
      (client) => client.callTool('measure'),
    ],
  };
}

function trace(): ClientStory {
  const meta = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  return { acts: [(client) => client.callTool('trace', {}, { meta })] };
}

const folders = [{ uri: 'file:///bench', name: 'bench' }];
const said = { role: 'assistant', content: { type: 'text', text: 'Dovetail' }, model: 'small-1' } as const;

function roots(): ClientStory {
  return {
    options: { roots: folders },
    acts: [
      (client) => client.callTool('where'),
      (client) => client.setRoots([]),
      (client) => client.callTool('where'),
    ],
  };
}

function sampling(): ClientStory {
  return { options: { onSample: () => said }, acts: [(client) => client.callTool('name')] };
}

function elicitation(): ClientStory {
  let asked = 0;
  const content = { boards: 3 };
  return {
    options: { onElicit: () => (asked++ === 0 ? { action: 'accept', content } : { action: 'decline' }) },
    acts: [(client) => client.callTool('order'), (client) => client.callTool('order')],
  };
}

function pages(): ClientStory {
  const over: string[] = [];
  return {
    options: { onElicitUrl: () => ({ action: 'accept' }), onElicitComplete: (id) => void over.push(id) },
    acts: [
      (client) => client.callTool('pay'),
      (client) => client.callTool('deliver'),
      async (client) => [await client.callTool('settle'), over],
    ],
  };
}

function inputRequests(): ClientStory {
  return { options: { roots: folders, onSample: () => said }, acts: [(client) => client.callTool('plan')] };
}

function subscriptions(): ClientStory {
  const changes: unknown[] = [];
  let watching: { close(): Promise<void> } | undefined;
  return {
    acts: [
      async (client) => {
        const watch = await client.watch({ uris: ['board://left'], tools: true }, (change) => {
          changes.push(change);
        });
        watching = watch;
        return watch.honoured;
      },
      (client) => client.callTool('paint'),
      (client) => client.callTool('lend'),
      () => watching?.close(),
      (client) => client.callTool('paint'),
      () => changes,
    ],
  };
}

function lifecycle(): ClientStory {
  return {
    acts: [
      (client) => [client.server, client.instructions],
      (client) => client.callTool('measure'),
      (client) => client.prompts().all(),
    ],
  };
}

function batches(): ClientStory {
  return {
    acts: [
      async (client) => {
        const list = { method: 'tools/list', params: {} } as const;
        const call = { method: 'tools/call', params: { name: 'measure' } } as const;
        const [listed, called] = client.batch([list, call]);
        return [(await listed).tools.length, await called];
      },
    ],
  };
}

function extensions(): ClientStory {
  const laser = defineExtension({
    id: 'com.example/laser',
    settings: ({ lifecycle }) => (lifecycle === 'stateless' ? { colour: 'red' } : undefined),
    external: true,
  });
  return {
    options: { extensions: [laser] },
    acts: [
      (client) => [client.extension('com.example/laser'), client.extension('com.example/lathe')],
      (client) => client.callTool('cut'),
    ],
  };
}

function experimental(): ClientStory {
  const capabilities = { experimental: { holograms: { depth: 3 } } };
  return { options: { capabilities }, acts: [(client) => client.callTool('show')] };
}

function rates(): ClientStory {
  const call: Act = (client) => client.callTool('measure');
  return { acts: [call, call, call] };
}

function samplingContext(): ClientStory {
  return {
    options: { onSample: () => said, capabilities: { samplingContext: true } },
    acts: [(client) => client.callTool('judge')],
  };
}

function keepAlive(): ClientStory {
  return { acts: [(client) => client.readResource('time://seconds/20'), (client) => client.ping()] };
}

/** Client stories, by the name of their server. */
export const clientStories: ReadonlyMap<string, () => ClientStory> = new Map([
  ['lifecycle', lifecycle],
  ['negotiation', connecting],
  ['batches', batches],
  ['extensions', extensions],
  ['experimental', experimental],
  ['tools', tools],
  ['resources', resources],
  ['prompts', prompts],
  ['completion', completion],
  ['pagination', pagination],
  ['logging', logging],
  ['progress', progress],
  ['cancellation', cancellation],
  ['trace', trace],
  ['roots', roots],
  ['sampling', sampling],
  ['sampling-context', samplingContext],
  ['elicitation', elicitation],
  ['pages', pages],
  ['input-requests', inputRequests],
  ['subscriptions', subscriptions],
  ['keep-alive', keepAlive],
  ['rates', rates],
]);

/** Returns the reason why a revision has no such client story; undefined if it has one. */
export function whyNoClient(story: string, revision: string): string | undefined {
  if (story === 'elicitation' && revision < '2025-06-18') return 'elicitation came with 2025-06-18';
  if (story === 'pages' && revision < '2025-11-25') return 'pages came with 2025-11-25';
  if (story === 'keep-alive' && revision > '2025-11-25') return 'pings are gone';
  return undefined;
}
