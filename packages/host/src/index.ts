export type {
  AccessRequest,
  Origin,
  PromptAccess,
  ResourceAccess,
  RootsAccess,
  SamplingAccess,
  SkillAccess,
  StartAccess,
  ToolAccess,
  Way,
} from './access/access-request.js';
export type { GrantStore } from './access/grant-store.js';
export { type MemoryGrantsOptions, memoryGrants } from './access/memory-grants.js';
export type { AuditLog, AuditOutcome, AuditRecord } from './audit/audit-log.js';
export type { Credentials, Vault, VaultRequest } from './vault/credentials.js';
