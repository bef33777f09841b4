import { mutantsOf } from '../mutation.js';

const requests = ['request/requests.test.ts'];
const security = ['request/security.test.ts'];
const styles = ['request/styles.test.ts'];
const answers = ['answer/answers.test.ts'];
const schemas = ['schemas/tool-schema.test.ts'];
const hostile = ['hostile.test.ts'];
const tools = ['from-openapi.test.ts'];

export const openapiMutants = mutantsOf('openapi', [
  {
    name: 'dot-segments-sent',
    file: 'request/request.ts',
    find: "if (written.split('/').some(",
    replace: "if (false && written.split('/').some(",
    tests: requests,
  },
  {
    name: 'empty-part-of-path-sent',
    file: 'request/request.ts',
    find: "if (part === '')",
    replace: 'if (false)',
    tests: requests,
  },
  {
    name: 'header-with-line-end-sent',
    file: 'request/request.ts',
    find: 'if (/^[\\t\\x20-\\x7e\\x80-\\xff]*$/.test(text)) return text.trim();',
    replace: 'return text.trim();',
    tests: requests,
  },
  {
    name: 'reserved-ends-a-value',
    file: 'request/styles.ts',
    find: 'return keepReserved(text).replace(/[#&+]/g, encoded);',
    replace: 'return keepReserved(text);',
    tests: styles,
  },
  {
    name: 'credential-missing-sent',
    file: 'request/security.ts',
    find: 'if (values.length === alternative.length)',
    replace: 'if (true)',
    tests: security,
  },
  {
    name: 'secured-place-is-argument',
    file: 'tools/input.ts',
    find: 'if (secured.has(',
    replace: 'if (false && secured.has(',
    tests: security,
  },
  {
    name: 'secret-repeated',
    file: 'answer/answer.ts',
    find: "all.replaceAll(secret, '***')",
    replace: 'all',
    tests: security,
  },
  {
    name: 'servers-of-document-trusted',
    file: 'servers.ts',
    find: '  if (!documentServers)\n',
    replace: '  if (false)\n',
    tests: tools,
  },
  {
    name: 'deprecated-included',
    file: 'from-openapi.ts',
    find: 'if (found.deprecated && this.#options.deprecated !== true)',
    replace: 'if (false)',
    tests: tools,
  },
  {
    name: 'names-collide',
    file: 'tools/argument-names.ts',
    find: 'this.#taken.add(unique.toLowerCase());',
    replace: '',
    tests: tools,
  },
  {
    name: 'body-over-parameter',
    file: 'tools/input-body.ts',
    find: 'if (fields === undefined || clashes)',
    replace: 'if (fields === undefined)',
    tests: requests,
  },
  {
    name: 'read-only-sent',
    file: 'tools/input-body.ts',
    find: '!(isRecord(schema) && schema.readOnly === true)',
    replace: 'true',
    tests: requests,
  },
  {
    name: 'shape-not-checked',
    file: 'answer/answer.ts',
    find: '(rules.check(value) ?? [])',
    replace: '[]',
    tests: answers,
  },
  {
    name: 'digits-lost',
    file: 'answer/answer.ts',
    find: '/\\d{16}/.test(response.text)',
    replace: 'false',
    tests: answers,
  },
  {
    name: 'nullable-ignored',
    file: 'schemas/tool-schema.ts',
    find: 'hasOldSchemas && schema.nullable === true',
    replace: 'false',
    tests: schemas,
  },
  {
    name: 'one-of-cut-schemas',
    file: 'schemas/tool-schema.ts',
    find: "keyword === 'oneOf' ? 'anyOf' : keyword",
    replace: 'keyword',
    tests: schemas,
  },
  {
    name: 'schema-not-cut',
    file: 'schemas/tool-schema.ts',
    find: 'input: 12_000,',
    replace: 'input: 12_000_000,',
    tests: [...schemas, ...hostile],
  },
  {
    name: 'prototype-as-property',
    file: 'tools/input-body.ts',
    find: "name !== '__proto__' && ",
    replace: '',
    tests: hostile,
  },
  {
    name: 'controls-shown',
    file: 'document/texts.ts',
    find: 'printableText(text.slice(0, mostRead))',
    replace: 'text.slice(0, mostRead)',
    tests: hostile,
  },
  {
    name: 'operations-unbounded',
    file: 'document/operations.ts',
    find: 'if (found.length + skipped.length >= mostOperations)',
    replace: 'if (false)',
    tests: hostile,
  },
]);
