import { authMutants } from './auth.js';
import { authStoreMutants } from './auth-store.js';
import { clientMutants } from './client.js';
import { foundationMutants } from './foundation.js';
import { hostMutants } from './host.js';
import { hostSkillsMutants } from './host-skills.js';
import { idempotencyMutants } from './idempotency.js';
import { jsonSchemaMutants } from './json-schema.js';
import { mcpAppsMutants } from './mcp-apps.js';
import { openapiMutants } from './openapi.js';
import { serverMutants } from './server.js';
import { sessionMutants } from './session.js';
import { skillsMutants } from './skills.js';
import { stateMutants } from './state.js';
import { statePostgresMutants, stateRedisMutants } from './state-adapters.js';
import { tasksMutants } from './tasks.js';
import { transportHttpMutants } from './transport-http.js';
import { transportSseMutants } from './transport-sse.js';
import { transportStdioMutants } from './transport-stdio.js';

/** Every known bug. @type {readonly import('../mutation.js').Mutant[]} */
export const mutants = [
  ...foundationMutants,
  ...sessionMutants,
  ...skillsMutants,
  ...hostSkillsMutants,
  ...stateMutants,
  ...stateRedisMutants,
  ...statePostgresMutants,
  ...openapiMutants,
  ...serverMutants,
  ...tasksMutants,
  ...idempotencyMutants,
  ...clientMutants,
  ...hostMutants,
  ...transportHttpMutants,
  ...transportStdioMutants,
  ...transportSseMutants,
  ...authMutants,
  ...authStoreMutants,
  ...jsonSchemaMutants,
  ...mcpAppsMutants,
];
