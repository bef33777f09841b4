import type { RequestRow, Revision, Rules } from '../../codec/revision.js';
import { type Rows, type Tables, tabulated } from '../../codec/rows.js';
import { ErrorCode } from '../../json-rpc/errors.js';
import { handshakeCodec } from './codec.js';
import { completion } from './completion.js';
import { initialize, initialized, ping } from './lifecycle.js';
import { logging, logNotices } from './logging.js';
import { inFlight } from './progress.js';
import { promptNotices, prompts } from './prompts.js';
import { resourceNotices, resources } from './resources.js';
import { rootNotices, roots } from './roots.js';
import { sampling } from './sampling.js';
import { toolNotices, tools } from './tools.js';

const inputRequests: Rows<RequestRow> = { ...roots, ...sampling };

/** Exported for later revisions, which extend it. */
export const tables: Tables = {
  clientRequests: { ...initialize, ...ping, ...tools, ...resources, ...prompts, ...completion, ...logging },
  serverRequests: { ...ping, ...inputRequests },
  clientNotifications: { ...initialized, ...inFlight, ...rootNotices },
  serverNotifications: { ...inFlight, ...logNotices, ...toolNotices, ...resourceNotices, ...promptNotices },
  inputRequests,
};

/** Exported for later revisions, which extend it. */
export const rules: Rules = {
  batching: false,
  inputRequestMode: 'request',
  badToolInput: 'protocol-error',
  notFoundCode: ErrorCode.resourceNotFound,
  logging: 'session',
  completionsDeclared: false,
  changes: 'subscribe',
  standalone: false,
  resumable: false,
  primedStreams: false,
  versionHeader: false,
  mirroredHeaders: false,
  unreadableId: null,
  serverCancels: 'requests',
  urlElicitationError: false,
  elicitationIds: false,
  tasks: false,
  inputFeatures: { elicit: false, url: false, samplingTools: false },
};

/** The first published revision. https://modelcontextprotocol.io/specification/2024-11-05 */
export const revision20241105: Revision = {
  id: '2024-11-05',
  lifecycle: 'handshake',
  ...tabulated(tables),
  codec: handshakeCodec,
  rules,
};
