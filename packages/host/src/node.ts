export { FileError } from '@tenon/foundation/node';
export { type AuditFile, type AuditFileOptions, auditFile } from './files/audit-file.js';
export type { ChainEnd } from './files/audit-lines.js';
export {
  type ConfigServers,
  type ConfigServersOptions,
  configServers,
} from './files/config-servers.js';
export { type FileGrantsOptions, fileGrants } from './files/file-grants.js';
export { secretFile } from './files/secret-file.js';
export {
  type AuditPlace,
  type AuditReport,
  type VerifyAuditOptions,
  verifyAudit,
} from './files/verify-audit.js';
