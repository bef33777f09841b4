import { createHash } from 'node:crypto';
import { createServer, ErrorCode, RpcError, type Server } from '@tenon/mcp-server';
import { skills } from '@tenon/mcp-skills/client';
import { z } from 'zod';
import { readFrontmatter } from '../../skills/src/skill/frontmatter.js';
import { answering } from '../../skills/test/hostile-server.js';
import { type HostSkills, type HostSkillsOptions, hostSkills } from '../src/skills.js';
import { type Hosted, hosted } from './hosted.js';

/** A server of skills whose files a test can change. */
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

/** The text of a `SKILL.md`. */
export function skillText(name: string, more = '', body = `# ${name}\n`): string {
  return `---\nname: ${name}\ndescription: How to use ${name}\n${more}---\n\n${body}`;
}

/** Returns a server with these files. */
export function skilled(
  files: Readonly<Record<string, string>>,
  { skills: uris, isDynamic = false, tools = [], later = [] }: SkillServerOptions = {},
): SkillServer {
  const urisNow = () => uris ?? Object.keys(one.files).filter((uri) => uri.endsWith('/SKILL.md'));
  const entryOf = (uri: string) => {
    const root = uri.slice(0, -'SKILL.md'.length);
    const resources = Object.entries(one.files)
      .filter(([file]) => file.startsWith(root))
      .map(([file, text]) => ({
        uri: file,
        digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
        size: Buffer.byteLength(text),
      }));
    const { frontmatter } = readFrontmatter(one.files[uri] ?? '');
    return { uri, frontmatter, resources: isDynamic ? 'dynamic' : resources };
  };
  const { extension, reads } = answering({
    list: () => ({ skills: urisNow().map(entryOf) }),
    get: (uri) => {
      if (urisNow().includes(uri)) return { skill: entryOf(uri) };
      throw new RpcError(ErrorCode.invalidParams, 'No such skill.');
    },
    files: Object.fromEntries(
      [...Object.keys(files), ...later].map((uri) => [uri, () => one.sent[uri] ?? one.files[uri]]),
    ),
  });
  const server = createServer({ name: 'any', version: '1.0.0' }, { extensions: [extension] });
  const ran: string[] = [];
  for (const tool of tools)
    server.tool(tool, { input: z.looseObject({}) }, () => {
      ran.push(tool);
      return `${tool} ran`;
    });
  const one: SkillServer = { server, reads, ran, files, sent: {} };
  return one;
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
