import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ClientFact, KnownClient, SchemaCheck } from './known-client.js';
import { knownClients } from './known-clients.js';

const page = readFileSync(new URL('../../../../docs/guide/tools/compat.md', import.meta.url), 'utf8');

const schemas: Readonly<Record<SchemaCheck, string>> = {
  'root-object': 'the root of input schemas must be an object',
  'output-root-object': 'the root of output schemas must be an object',
  'root-combination': 'no `anyOf`, `oneOf`, `allOf` at the root',
  'array-items': 'arrays need `items`',
  'property-names': 'names of parameters: 1 to 64 of `A-Z a-z 0-9 _ . -`',
  'open-objects': 'objects need `additionalProperties: false` with models of OpenAI',
  'property-name-schemas': 'no `propertyNames`',
};

function names({ value: { prefix, length, characters, effect } }: NonNullable<KnownClient['names']>): string {
  const parts = [
    length === undefined ? '' : `${length} characters`,
    prefix === '' ? '' : `with \`${prefix}\``,
    characters === undefined ? '' : `\`${characters.source}\``,
  ].filter((part) => part !== '');
  const effects = {
    renamed: 'renamed',
    missing: 'left out',
    'all-missing': 'no tool is shown',
    'request-fails': 'requests to some models fail',
  };
  return `names of tools: ${parts.join(', ')}; otherwise ${effects[effect]}`;
}

function factsOf(client: KnownClient): readonly string[] {
  const { transports, revisions, tools, description, resultTokens, features } = client;
  const row = <Value>(fact: ClientFact<Value> | undefined, text: (value: Value) => string) =>
    fact === undefined
      ? []
      : [
          `| ${client.name} | ${text(fact.value)} | ${fact.isReport ? 'reported ' : ''}[${fact.date}](${fact.source}) |`,
        ];
  return [
    ...row(transports, (value) => `transports: ${value.join(', ')}`),
    ...row(revisions, (value) =>
      value === 'handshake'
        ? 'revisions: sends `initialize`'
        : `revisions: ${value.map(({ id }) => id).join(', ')}`,
    ),
    ...row(client.names, () => (client.names === undefined ? '' : names(client.names))),
    ...row(tools, ({ most, effect }) => `${most} tools of all servers; others are ${effect}`),
    ...row(description, (value) => `${value} characters of a description`),
    ...row(resultTokens, (value) => `${value} tokens of a result`),
    ...(client.schemas ?? []).flatMap((fact) => row(fact, (check) => schemas[check])),
    ...row(features, (value) =>
      Object.entries(value)
        .map(([feature, has]) => `${has ? '' : 'no '}${feature}`)
        .join(', '),
    ),
  ];
}

it('docs/guide/tools/compat.md has the table of the clients', () => {
  const table = ['| client | fact | source |', '|---|---|---|', ...knownClients.flatMap(factsOf)].join('\n');
  const [, documented] = /<!-- clients -->\n([\s\S]*?)\n?<!-- \/clients -->/.exec(page) ?? [];
  expect(documented, `the table should be:\n${table}`).toBe(table);
});
