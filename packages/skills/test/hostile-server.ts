import { defineMethod, type ResourceReturn, type ServerExtension } from '@tenon/mcp-server';
import { defineExtension, type EntryRegistrar, serve } from '@tenon/mcp-server/extension';
import { digestOf, type Skill, skillsId } from '../src/skill/skill.js';

// Without shapes: the answers may have any.
const listSkills = defineMethod('skills/list');
const getSkill = defineMethod('skills/get');
const readDirectory = defineMethod('resources/directory/read');

type Result = Record<string, unknown>;

/** Answers of a server that may break any rule. */
export interface Answers {
  readonly list?: (cursor: string | undefined) => Result;
  readonly get?: (uri: string) => Result;
  readonly directory?: (uri: string, cursor: string | undefined) => Result;
  /** The files by URI: texts, or functions that are called for each read. */
  readonly files?: Readonly<Record<string, string | (() => unknown)>>;
  readonly settings?: { readonly directoryRead?: boolean };
}

/** A server with these answers, and the URIs that were read. */
export function answering(answers: Answers): { extension: ServerExtension; reads: string[]; gets: string[] } {
  const reads: string[] = [];
  const gets: string[] = [];
  const { list = () => ({ skills: [] }), get = () => ({ skill: {} }), directory, files = {} } = answers;
  const extension = defineExtension({
    id: skillsId,
    clientDeclares: false,
    settings: answers.settings ?? {},
    methods: [
      serve(listSkills, ({ cursor }) => list(cursor as string | undefined)),
      serve(getSkill, ({ uri }) => {
        gets.push(String(uri));
        return get(String(uri));
      }),
      serve(readDirectory, ({ uri, cursor }) => directory?.(String(uri), cursor as string | undefined) ?? {}),
    ],
    register(entries: EntryRegistrar) {
      for (const [uri, content] of Object.entries(files))
        entries.resource(uri, {}, () => {
          reads.push(uri);
          return (typeof content === 'function' ? content() : content) as ResourceReturn;
        });
    },
  });
  return { extension, reads, gets };
}

/** An entry that describes these files. */
export async function entryOf(
  uri: string,
  files: Readonly<Record<string, string>>,
  fields: Record<string, unknown> = {},
): Promise<Skill> {
  const name = uri.split('/').at(-2) ?? '';
  const resources = await Promise.all(
    Object.entries(files).map(async ([file, text]) => ({
      uri: file,
      digest: await digestOf(text),
      size: Buffer.byteLength(text),
    })),
  );
  return { uri, frontmatter: { name, description: `How to use ${name}`, ...fields }, resources };
}
