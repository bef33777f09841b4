import { defineMethod, type Method } from '@tenon/mcp-protocol';

/** The identifier of the extension. */
export const skillsId = 'io.modelcontextprotocol/skills';

/** The settings that a server declares. */
export type SkillsSettings = {
  /** True if the server has `resources/directory/read`. Default: false. */
  readonly directoryRead?: boolean;
};

declare module '@tenon/mcp-protocol' {
  interface Extensions {
    readonly 'io.modelcontextprotocol/skills'?: SkillsSettings;
  }
}

/** The name of the file that makes a folder a skill. */
export const skillFile = 'SKILL.md';

/** The media type of directory resources. */
export const directoryType = 'inode/directory';

/**
 * The limits that every host supports: the files of one skill, and the bytes of all of them.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#limits
 */
export const skillLimits: { readonly files: number; readonly bytes: number } = Object.freeze({
  files: 512,
  bytes: 16 * 1024 * 1024,
});

/** The frontmatter of a `SKILL.md` as JSON: all fields, as their author wrote them. */
export interface SkillFrontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/** A file of a skill. */
export interface SkillResource {
  readonly uri: string;
  /** `sha256:` and 64 lowercase hexadecimal digits, of the bytes of the file. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** The entry of a skill, as `skills/list` and `skills/get` return it. */
export interface Skill {
  /** The URI of its `SKILL.md`. It identifies the skill on its server, and on no other. */
  readonly uri: string;
  readonly frontmatter: SkillFrontmatter;
  /** All files, `SKILL.md` included; `dynamic` if the content is generated, which nothing can verify. */
  readonly resources: readonly SkillResource[] | 'dynamic';
}

const encoder = new TextEncoder();

/** Returns the digest of the bytes of a file. */
export async function digestOf(bytes: Uint8Array | string): Promise<string> {
  const raw = typeof bytes === 'string' ? encoder.encode(bytes) : bytes;
  const hash = await crypto.subtle.digest('SHA-256', raw as Uint8Array<ArrayBuffer>);
  const digits = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0'));
  return `sha256:${digits.join('')}`;
}

const cursor = { type: 'string', maxLength: 16_384 };
const uri = { type: 'string', minLength: 1, maxLength: 8_192 };

/** `skills/list`: the skills that a server lists, page by page. */
export const listSkills: Method = defineMethod('skills/list', {
  params: { type: 'object', properties: { cursor } },
  result: { type: 'object', properties: { skills: { type: 'array' } }, required: ['skills'] },
});

/** `skills/get`: the entry of one skill. */
export const getSkill: Method = defineMethod('skills/get', {
  params: { type: 'object', properties: { uri }, required: ['uri'] },
  result: { type: 'object', properties: { skill: { type: 'object' } }, required: ['skill'] },
});

/** `resources/directory/read`: the direct children of a directory, page by page. */
export const readDirectory: Method = defineMethod('resources/directory/read', {
  params: { type: 'object', properties: { uri, cursor }, required: ['uri'] },
  result: {
    type: 'object',
    properties: { resources: { type: 'array', items: { type: 'object' } } },
    required: ['resources'],
  },
});
