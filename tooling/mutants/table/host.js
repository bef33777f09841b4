import { mutantsOf } from '../mutation.js';

/** Bugs of the audit log, of grants, of the vault, and of apps. */
export const hostMutants = mutantsOf('host', [
  {
    name: 'part-of-a-refused-record-stays',
    file: 'files/audit-writer.ts',
    find: '      await file.truncate(end.size).catch(ignore);\n',
    replace: '',
    tests: ['files/audit-file.test.ts'],
  },
  {
    name: 'replaced-log-goes-on',
    file: 'files/audit-writer.ts',
    find: '    this.#requireLater(end);\n    return { ino, end };',
    replace: '    return { ino, end };',
    tests: ['files/audit-file.test.ts'],
  },
  {
    name: 'torn-bytes-not-reported',
    file: 'files/audit-end.ts',
    find: 'torn: rest.length === 0 ? undefined :',
    replace: 'torn: rest.length >= 0 ? undefined :',
    tests: ['files/audit-file.test.ts'],
  },
  {
    name: 'line-before-not-compared',
    file: 'files/chain-check.ts',
    find: 'if (prev !== last.sha256)',
    replace: 'if (false)',
    tests: ['files/verify-audit.test.ts'],
  },
  {
    name: 'missing-code-of-a-line-accepted',
    file: 'files/chain-check.ts',
    find: "if (key === undefined || mac === 'right') return;",
    replace: "if (key === undefined || mac !== 'wrong') return;",
    tests: ['files/verify-audit.test.ts'],
  },
  {
    name: 'grant-dropped-past-the-bound',
    file: 'files/file-grants.ts',
    find: 'if (documents.size <= entries && size <= bytes)',
    replace: 'if (size <= bytes)',
    tests: ['files/file-grants.test.ts'],
  },
  {
    name: 'users-share-an-account',
    file: 'vault/vault.ts',
    find: 'const account = JSON.stringify([user ?? null, server]);',
    replace: 'const account = JSON.stringify([server]);',
    tests: ['vault/vault.test.ts'],
  },
  {
    name: 'provider-of-another-user-accepted',
    file: 'vault/vault.ts',
    find: 'if (before !== undefined && before !== owner) {',
    replace: 'if (false) {',
    tests: ['vault/vault.test.ts'],
  },
  {
    name: 'credentials-for-another-origin',
    file: 'vault/vault.ts',
    find: 'new URL(url).origin !== origin)',
    replace: 'false)',
    tests: ['vault/vault.test.ts'],
  },
  {
    name: 'refusal-of-a-view-with-its-reason',
    file: 'apps/app-server.ts',
    find: "error.reason === 'denied'",
    replace: 'false',
    tests: ['attacks/apps.test.ts'],
  },
  {
    name: 'model-calls-a-tool-for-apps',
    file: 'catalogue/catalogue.ts',
    find: "return found !== undefined && isVisibleTo('model', found.tool) ? found : undefined;",
    replace: 'return found;',
    tests: ['attacks/apps.test.ts'],
  },
  {
    name: 'change-of-visibility-not-seen',
    file: 'servers/server-lists.ts',
    find: "    ...[isVisibleTo('model', tool), isVisibleTo('app', tool)],\n",
    replace: '',
    tests: ['attacks/apps.test.ts'],
  },
]);
