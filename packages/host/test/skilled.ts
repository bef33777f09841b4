import { createHash } from 'node:crypto';
import { createServer, defineMethod, ErrorCode, RpcError, type Server } from '@tenon/mcp-server';
import { defineExtension, serve } from '@tenon/mcp-server/extension';
import { skills, skillsId } from '@tenon/mcp-skills/client';
import { z } from 'zod';
import { type HostSkills, type HostSkillsOptions, hostSkills } from '../src/skills.js';
import { type Hosted, hosted } from './hosted.js';

/** A server of skills. A test can change its files. */
export interface SkillServer {
  readonly server: Server;
  /** The URIs that were read. */
  readonly reads: string[];
  /** The tools that ran. */
  readonly ran: string[];
  /** The files that the server has, by URI. */
  files: Readonly<Record<string, string>>;
  /** Content that is sent in place of the files that the entry lists. */
  sent: Readonly<Record<string, string>>;
}

export interface SkillServerOptions {
  /** The URIs of the skills. Default: of all files named SKILL.md. */
  readonly skills?: readonly string[];
  /** Skills with generated content. */
  readonly isDynamic?: boolean;
  readonly tools?: readonly string[];
  /** Files that the server may have later. */
  readonly later?: readonly string[];
}

// Without shapes: the entries may break any rule.
const listSkills = defineMethod('skills/list');
const getSkill = defineMethod('skills/get');

/** The text of a `SKILL.md`, with each field of the frontmatter in one line. */
export function skillText(
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
  body = `# ${name}\n`,
): string {
  const all = { name, description: `How to use ${name}`, ...fields };
  const lines = Object.entries(all).map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join('')}---\n\n${body}`;
}

/** Returns the frontmatter of a text of {@link skillText}. */
function frontmatterOf(text: string): Record<string, unknown> {
  const [, lines = ''] = text.split('---\n');
  return Object.fromEntries(
    Array.from(lines.matchAll(/^([^:]+): (.*)$/gm), ([, field, value]) => [field, JSON.parse(value ?? '')]),
  );
}

/** Returns a server with these files. */
export function skilled(
  files: Readonly<Record<string, string>>,
  { skills: uris, isDynamic = false, tools = [], later = [] }: SkillServerOptions = {},
): SkillServer {
  const reads: string[] = [];
  const ran: string[] = [];
  const urisNow = () => uris ?? Object.keys(one.files).filter((uri) => uri.endsWith('/SKILL.md'));
  const entryOf = (uri: string) => {
    const root = uri.slice(0, -'SKILL.md'.length);
    const resources = Object.entries(one.files)
      .filter(([file]) => file.startsWith(root))
      .map(([file, text]) => ({ uri: file, digest: digestOf(text), size: Buffer.byteLength(text) }));
    const frontmatter = frontmatterOf(one.files[uri] ?? '');
    return { uri, frontmatter, resources: isDynamic ? 'dynamic' : resources };
  };
  const extension = defineExtension({
    id: skillsId,
    clientDeclares: false,
    settings: {},
    methods: [
      serve(listSkills, () => ({ skills: urisNow().map(entryOf) })),
      serve(getSkill, ({ uri }) => {
        if (urisNow().includes(String(uri))) return { skill: entryOf(String(uri)) };
        throw new RpcError(ErrorCode.invalidParams, 'No such skill.');
      }),
    ],
  });
  const server: Server = createServer({ name: 'any', version: '1.0.0' }, { extensions: [extension] });
  for (const uri of [...Object.keys(files), ...later])
    server.resource(uri, {}, () => {
      reads.push(uri);
      return one.sent[uri] ?? one.files[uri] ?? '';
    });
  for (const tool of tools)
    server.tool(tool, { input: z.looseObject({}) }, () => {
      ran.push(tool);
      return `${tool} ran`;
    });
  const one: SkillServer = { server, reads, ran, files, sent: {} };
  return one;
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Returns a host of these servers with its skills, closed after the test. */
export function hostedSkills(
  servers: Readonly<Record<string, SkillServer>>,
  {
    skills: own = {},
    client = {},
    ...options
  }: Parameters<typeof hosted>[1] & {
    readonly skills?: HostSkillsOptions;
    readonly client?: Parameters<typeof skills>[0];
  } = {},
): Hosted & { readonly skills: HostSkills } {
  const all = Object.entries(servers).map(([name, { server }]) => [name, server] as const);
  const one = hosted(Object.fromEntries(all), { extensions: [skills(client)], ...options });
  return { ...one, skills: hostSkills(one.host, own) };
}
