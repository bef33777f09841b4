import type { Server } from '@tenon/mcp-server';
import {
  handlerTimeServer,
  keepAliveServer,
  logRateServer,
  ratesServer,
  redactionServer,
  resultSizeServer,
} from './bounding.js';
import {
  batchesServer,
  errorsServer,
  experimentalServer,
  extensionsServer,
  lifecycleServer,
  negotiationServer,
  traceServer,
} from './conversing.js';
import {
  elicitationServer,
  inputRequestsServer,
  pagesServer,
  rootsServer,
  samplingContextServer,
  samplingServer,
} from './input-requests.js';
import { cachingServer, handlesServer } from './keeping.js';
import {
  completionServer,
  paginationServer,
  promptsServer,
  resourcesServer,
  toolsServer,
} from './offering.js';
import {
  cancellationServer,
  listChangesServer,
  loggingServer,
  progressServer,
  subscriptionsServer,
} from './running.js';

/** Creates the server of a feature's stories in a revision; called for each run. */
export const storyServers: ReadonlyMap<string, (revision: string) => Server> = new Map<
  string,
  (revision: string) => Server
>([
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
  ['negotiation', negotiationServer],
  ['errors', errorsServer],
  ['extensions', extensionsServer],
  ['experimental', experimentalServer],
  ['trace', traceServer],
  ['list-changes', listChangesServer],
  ['input-requests', inputRequestsServer],
  ['pages', pagesServer],
  ['sampling-context', samplingContextServer],
  ['caching', cachingServer],
  ['handles', handlesServer],
  ['rates', ratesServer],
  ['handler-time', handlerTimeServer],
  ['result-size', resultSizeServer],
  ['log-rate', logRateServer],
  ['redaction', redactionServer],
  ['keep-alive', keepAliveServer],
]);
