export { checkPublishing, type PublishFiles, readPublishFiles } from './publishing/check-publishing.js';
export { type CheckedDocument, checkDocument } from './publishing/checks/check-document.js';
export { checkSecrets } from './publishing/checks/check-package.js';
export type { Definition } from './publishing/documents/definition.js';
export { mcpbManifest } from './publishing/documents/mcpb-manifest.js';
export { mcpbSchema } from './publishing/documents/mcpb-schema.js';
export { serverCard } from './publishing/documents/server-card.js';
export { serverCardSchema } from './publishing/documents/server-card-schema.js';
export { serverJson } from './publishing/documents/server-json.js';
export { serverJsonSchema } from './publishing/documents/server-json-schema.js';
export type { PublishFinding } from './publishing/finding.js';
export type {
  PackageAuthor,
  PackageFacts,
  PackageRepository,
} from './publishing/package-facts.js';
