import type { Server } from '@tenon/mcp-server';
import { elicitationServer, rootsServer, samplingServer } from './asking.js';
import { batchesServer, lifecycleServer } from './conversing.js';
import {
  completionServer,
  paginationServer,
  promptsServer,
  resourcesServer,
  toolsServer,
} from './offering.js';
import { cancellationServer, loggingServer, progressServer, subscriptionsServer } from './running.js';

/** The server that the stories of a feature are played against, made anew for each. */
export const storyServers: ReadonlyMap<string, () => Server> = new Map([
  ['lifecycle', lifecycleServer],
  ['batches', batchesServer],
  ['tools', toolsServer],
  ['resources', resourcesServer],
  ['prompts', promptsServer],
  ['completion', completionServer],
  ['logging', loggingServer],
  ['pagination', paginationServer],
  ['progress', progressServer],
  ['cancellation', cancellationServer],
  ['roots', rootsServer],
  ['sampling', samplingServer],
  ['elicitation', elicitationServer],
  ['subscriptions', subscriptionsServer],
]);
