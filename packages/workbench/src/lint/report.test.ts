import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { interpret } from '@tenon/json-schema/interpreter';
import { describe, expect, it } from 'vitest';
import { subject, tool } from '../../test/lint-subject.js';
import { lint } from '../lint.js';
import { sourceFinder, toGithub, toSarif } from './report.js';

const report = lint(
  subject({
    tools: [tool({ name: 'get.forecast', title: '', description: 'Bad: 100 %,\nreally.\u200b' })],
    resources: [{ uri: 'not a uri', name: 'a' }],
  }),
);

/**
 * The published schema, without the dialect, because draft-04 is the same for the keywords it uses, and without a pattern for
 * languages that is not a valid expression.
 */
function sarifSchema(): object {
  const path = createRequire(import.meta.url).resolve(
    '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  );
  const {
    $schema: _,
    id: __,
    ...schema
  } = JSON.parse(readFileSync(path, 'utf8'), (key, value) =>
    key === 'pattern' && String(value).endsWith('}]?$') ? undefined : value,
  );
  return schema;
}

const check = interpret(sarifSchema(), { dialect: 'draft-07', mostIssues: 5, steps: 5_000_000 });

describe('toSarif', () => {
  it('fits the published schema, with and without places in a source file', () => {
    const placeOf = sourceFinder('src/my server.ts', "\nserver.tool('get.forecast')");
    for (const options of [{ version: '1.0.0' }, { version: '1.0.0', placeOf }])
      expect(check(JSON.parse(JSON.stringify(toSarif(report, options))))).toBeUndefined();
  });

  it('is checked: the schema rejects another level', () => {
    const log = JSON.stringify(toSarif(report, { version: '1.0.0' })).replace('"warning"', '"loud"');
    expect(check(JSON.parse(log))).toBeDefined();
  });

  it('has logical locations, and lines of the source if it is known', () => {
    const placeOf = sourceFinder('src/my server.ts', "\nserver.tool('get.forecast')");
    const { runs } = toSarif(report, { version: '1.0.0', placeOf }) as {
      runs: readonly {
        results: readonly { ruleId: string; level: string; locations: readonly object[] }[];
      }[];
    };
    const result = runs[0]?.results.find(({ ruleId }) => ruleId === 'name-dots');
    expect(result).toMatchObject({
      level: 'warning',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/my%20server.ts' },
            region: { startLine: 2 },
          },
          logicalLocations: [{ name: 'get.forecast', fullyQualifiedName: 'weather/tool/get.forecast/name' }],
        },
      ],
    });
  });
});

describe('toGithub', () => {
  it('writes one command a line, and escapes texts of the server', () => {
    const lines = toGithub(report);
    expect(lines.length).toBe(report.findings.length);
    for (const line of lines) {
      expect(line).not.toContain('\n');
      expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]*::\S/);
    }
    expect(lines).toContainEqual(
      expect.stringMatching(/^::warning title=name-dots%3A tool get\.forecast\/name::/),
    );
  });
});
