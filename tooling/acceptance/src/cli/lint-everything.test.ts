import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = new URL('../../../../', import.meta.url);
const tenon = fileURLToPath(new URL('packages/cli/dist/main.js', root));
const server = fileURLToPath(new URL('apps/everything-server/dist/main.js', root));

async function tenonJson(words: readonly string[]): Promise<{ code: number; report: never }> {
  const args = [tenon, ...words, '--json', '--', process.execPath, server, '--stdio'];
  try {
    const { stdout } = await run(process.execPath, args);
    return { code: 0, report: JSON.parse(stdout) as never };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, report: JSON.parse(stdout) as never };
  }
}

/** The findings that stay, with the reason. */
const justified: Readonly<Record<string, string>> = {
  'annotations-missing':
    'clients repeat lost calls of read-only tools, and these tools test calls that are not repeated',
  'description-short': 'names say what these tools test',
  'parameter-description': 'the official conformance suite and interoperability tests choose the parameters',
  'schema-root-combination': 'the official conformance suite requires a schema with "allOf" at the root',
};

describe('the everything server', () => {
  test('has no findings but the justified ones', async () => {
    const { code, report } = await tenonJson(['lint']);
    const { findings, omitted } = report as {
      findings: readonly { rule: string; severity: string; place: { name: string } }[];
      omitted: object;
    };
    const serious = findings.filter(({ severity }) => severity !== 'info');
    expect([...new Set(serious.map(({ rule }) => rule))].sort()).toEqual(Object.keys(justified).sort());
    const errors = serious.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ place }) => place.name)).toEqual(['json_schema_2020_12_tool']);
    expect({ code, omitted }).toEqual({ code: 6, omitted: {} });
  });

  test('has results that fit their schemas', async () => {
    const { report } = await tenonJson(['lint', '--call', '--rule', 'schema-root-combination=off']);
    const { findings } = report as { findings: readonly { rule: string }[] };
    expect(findings.filter(({ rule }) => rule.startsWith('call-'))).toEqual([]);
  });

  test('works in each revision over stdio, and has problems in no client but those with models of Anthropic', async () => {
    const { report } = await tenonJson(['compat']);
    const { revisions, problems, clients } = report as {
      revisions: readonly { outcome: string }[];
      problems: readonly unknown[];
      clients: readonly { id: string; problems: readonly { severity: string; place: { name: string } }[] }[];
    };
    expect(revisions.map(({ outcome }) => outcome)).toEqual(['works', 'works', 'works', 'works', 'works']);
    expect(problems).toEqual([]);
    const failing = clients.filter((client) => client.problems.some(({ severity }) => severity === 'error'));
    expect(failing.map(({ id }) => id)).toEqual(['claude-desktop', 'claude-code', 'langchain']);
    const names = failing.flatMap((client) => client.problems.filter(({ severity }) => severity === 'error'));
    expect(new Set(names.map(({ place }) => place.name))).toEqual(new Set(['json_schema_2020_12_tool']));
  });
});
