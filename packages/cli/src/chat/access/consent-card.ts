import type { ConsentRequest, DefinitionChange, ToolAccess } from '@tenon/mcp-host';
import type { CardPart } from '../screen/card.js';

/** A consent request, as a card and a sentence. */
interface ConsentText {
  readonly title: string;
  readonly parts: readonly CardPart[];
  readonly question: string;
  /** The names of the answers that allow; `always` is left out where an answer would not last. */
  readonly isLasting: boolean;
}

/** Returns what the user sees before an answer. Names of servers are those of the host; texts of servers have a label. */
export function consentText({ request, change, reason }: ConsentRequest): ConsentText {
  const { server, name } = request;
  const more: CardPart[] = reason === undefined ? [] : [{ label: 'reason', data: reason }];
  switch (request.kind) {
    case 'tool':
      return toolText(request, [...changeParts(change), ...more]);
    case 'start':
      return {
        title: `${server} starts a program`,
        parts: [
          { label: 'command', lines: [name] },
          ...(request.cwd === undefined ? [] : [{ label: 'folder', lines: [request.cwd] }]),
          { label: 'variables', data: request.variables.join(', ') || 'none' },
          { text: 'It runs with all your permissions.', style: 'red' },
          ...more,
        ],
        question: 'Start this program?',
        isLasting: true,
      };
    case 'roots':
      return {
        title: `${server} asks for your folders`,
        parts: [{ label: 'folders', lines: request.roots.map(({ uri }) => uri) }, ...more],
        question: `Show this list to ${server}?`,
        isLasting: true,
      };
    case 'skill':
      return {
        title: `${server} · skill`,
        parts: [
          { label: 'skill', data: name },
          { label: 'it says', data: request.description },
          { label: 'files', value: request.digests ?? 'generated: they can change at any time' },
          ...more,
        ],
        question: 'Give the model this skill?',
        isLasting: request.digests !== undefined,
      };
    case 'skill-tools':
      return {
        title: `${server} · tools for a skill`,
        parts: [
          { label: 'skill', data: name },
          { label: 'tools', data: request.tools.map((tool) => `${tool.server} · ${tool.name}`).join(', ') },
          ...more,
        ],
        question: 'Let this skill call these tools?',
        isLasting: request.digests !== undefined,
      };
    case 'prompt':
      return {
        title: `${server} · prompt ${name}`,
        parts: [{ label: 'inputs', value: request.args }, ...more],
        question: `Get this prompt of ${server}?`,
        isLasting: true,
      };
    case 'resource':
      return {
        title: `${server} · resource`,
        parts: [{ label: 'address', lines: [name] }, ...skillParts(request.skills), ...more],
        question: `Read this resource of ${server}?`,
        isLasting: true,
      };
    case 'sampling':
      return {
        title: `${server} asks for an answer of your model`,
        parts: more,
        question: `Let ${server} use your model?`,
        isLasting: true,
      };
  }
}

function toolText({ server, name, tool, args, skills }: ToolAccess, more: readonly CardPart[]): ConsentText {
  const { title, description = '(none)', annotations } = tool;
  return {
    title: `${server} · ${name}`,
    parts: [
      ...(title === undefined ? [] : [{ label: 'title', data: title }]),
      { label: 'it says', data: description },
      ...(annotations === undefined ? [] : [{ label: 'hints', value: annotations }]),
      { label: 'inputs', value: args },
      ...skillParts(skills),
      ...more,
    ],
    question: `Let ${server} run ${name} with these inputs?`,
    isLasting: true,
  };
}

/** Returns the skills that may be the cause of a request. */
function skillParts(skills: ToolAccess['skills']): readonly CardPart[] {
  if (skills === undefined || skills.length === 0) return [];
  return [{ label: 'skills', data: skills.map(({ server, uri }) => `${server} · ${uri}`).join(', ') }];
}

const changeTitles = {
  new: () => 'This tool is new: the server did not have it when you agreed to others.',
  changed: () => 'The definition of this tool is not the one you knew. It may do something else now.',
  renamed: (from = 'another name') => `This tool was named ${from} before.`,
} as const;

function changeParts(change: DefinitionChange | undefined): readonly CardPart[] {
  if (change === undefined) return [];
  const { kind, from, difference } = change;
  return [
    { text: changeTitles[kind](from), style: 'red' },
    ...(difference === undefined ? [] : [{ label: 'changed', lines: difference }]),
  ];
}
