import { defineMethod, type Method } from '@tenon/mcp-protocol';

const cursor = { type: 'string', maxLength: 16_384 };
const uri = { type: 'string', minLength: 1, maxLength: 8_192 };

/** `skills/list`: the skills that a server lists, page by page. */
export const listSkills: Method = defineMethod('skills/list', {
  params: { type: 'object', properties: { cursor } },
  result: { type: 'object', properties: { skills: { type: 'array' } }, required: ['skills'] },
}) as unknown as Method;

/** `skills/get`: the entry of one skill. */
export const getSkill: Method = defineMethod('skills/get', {
  params: { type: 'object', properties: { uri }, required: ['uri'] },
  result: { type: 'object', properties: { skill: { type: 'object' } }, required: ['skill'] },
}) as unknown as Method;

/** `resources/directory/read`: the direct children of a directory, page by page. */
export const readDirectory: Method = defineMethod('resources/directory/read', {
  params: { type: 'object', properties: { uri, cursor }, required: ['uri'] },
  result: {
    type: 'object',
    properties: { resources: { type: 'array', items: { type: 'object' } } },
    required: ['resources'],
  },
}) as unknown as Method;
