import { RemoteError } from '@tenon/mcp-client';
import { type ConnectedSkills, type Skill, SkillError, skills } from '@tenon/mcp-skills/client';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { requireNoMore } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import { counted } from '../../terminal/texts.js';

/** Options of `tenon skills`. */
interface SkillsOptions extends ServerOptions {
  readonly verify?: true;
}

type SkillsLine = ServerLine<SkillsOptions>;

/** A skill of the list, or an entry that breaks a rule, as `--json` prints it. */
interface SkillReport {
  readonly uri: string;
  readonly name?: string;
  readonly description?: string;
  /** Undefined for generated content. */
  readonly files?: number;
  readonly bytes?: number;
  /** True if every file is as listed, with `--verify`. */
  readonly verified?: boolean;
  readonly problem?: string;
}

/** Lists the skills of a server, or prints one. */
export async function runSkills(line: SkillsLine): Promise<void> {
  const invalid: SkillReport[] = [];
  const extension = skills({
    onInvalid: ({ uri, message }) => invalid.push({ uri, problem: message }),
  });
  await withClient({ ...line, open: { extensions: [extension] } }, async ({ client, words }) => {
    const [uri, ...more] = words;
    requireNoMore(more, 'skill');
    const connected = extension.of(client).skills;
    if (uri !== undefined) return printSkill(connected, uri, line);
    if (!connected.isOffered)
      throw new WorkbenchError(
        'protocol',
        'The server has no skills: it does not offer the extension in this revision.',
      );
    const listed = await connected.list({ signal: line.signal }).all();
    const reports: SkillReport[] = [...invalid];
    for (const skill of listed) reports.push(await reportOf(skill, connected, line));
    printReports(reports, line);
  });
}

async function printSkill(connected: ConnectedSkills, uri: string, line: SkillsLine): Promise<void> {
  const { terminal, options, signal } = line;
  try {
    const skill = await connected.load(uri, { signal });
    if (options.verify) for (const path of skill.paths ?? []) await skill.read(path, { signal });
    if (options.json) terminal.printJson({ ...skill.entry, text: skill.text });
    else terminal.print(skill.text.trimEnd());
  } catch (error) {
    throw error instanceof SkillError ? finding(error) : error;
  }
}

function finding(error: SkillError): WorkbenchError {
  return new WorkbenchError('findings', error.message, { cause: error });
}

async function reportOf(skill: Skill, connected: ConnectedSkills, line: SkillsLine): Promise<SkillReport> {
  const { uri, frontmatter, resources } = skill;
  const { name, description } = frontmatter;
  const isDynamic = resources === 'dynamic';
  const report: SkillReport = {
    ...{ uri, name, description },
    ...(!isDynamic && {
      files: resources.length,
      bytes: resources.reduce((sum, { size }) => sum + size, 0),
    }),
  };
  if (!line.options.verify) return report;
  const problem = await problemOf(skill, connected, line);
  return { ...report, verified: problem === undefined, ...(problem !== undefined && { problem }) };
}

/** Returns the reason why a skill cannot be verified; undefined if all its files are as listed. */
async function problemOf(
  skill: Skill,
  connected: ConnectedSkills,
  { terminal, signal }: SkillsLine,
): Promise<string | undefined> {
  terminal.status(`Verifying ${skill.uri} ...`);
  try {
    const loaded = await connected.load(skill, { signal });
    for (const path of loaded.paths ?? []) await loaded.read(path, { signal });
    loaded.release();
    return undefined;
  } catch (error) {
    if (error instanceof SkillError || error instanceof RemoteError) return error.message;
    throw error;
  }
}

function printReports(reports: readonly SkillReport[], { terminal, options }: SkillsLine): void {
  if (options.json) terminal.printJson(reports);
  else if (reports.length === 0) terminal.note('The server lists no skills.');
  else for (const report of reports) terminal.print(lineOf(report));
  const wrong = reports.filter(({ problem }) => problem !== undefined).length;
  if (wrong > 0) throw new WorkbenchError('findings', `${wrong} of ${reports.length} skills have a problem.`);
}

function lineOf({ uri, description, files, bytes, verified, problem }: SkillReport): string {
  if (problem !== undefined) return `${uri}\n  problem: ${problem}`;
  const content = files === undefined ? 'generated' : `${counted(files, 'file')}, ${bytes} bytes`;
  return `${uri}  ${content}${verified ? ', verified' : ''}\n  ${description}`;
}
