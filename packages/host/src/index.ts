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
export type { AuditLog, AuditOutcome, AuditRecord } from './audit/audit-log.js';
