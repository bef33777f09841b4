// What the fixture servers serve and the suites expect: written once, so that a value has one place to be wrong in.

/** One red pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** A WAV header without samples. */
export const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const instructions = 'Call `add` with two numbers. Ünïcödé and "quotes" are part of the test.';

export const info = { title: 'Interop fixture', version: '3.1.4' };

export const texts = {
  odd: 'line one\nline two\u2028 and \u{1F600}',
  failure: 'this tool always fails',
  thrown: 'thrown on purpose',
};

export const weather = { city: 'Oslo', celsius: -3.5, wind: { speed: 12, from: ['N', 'NE'] }, warning: null };

/** @type {any[]} */
export const picture = [
  { type: 'text', text: 'a picture', annotations: { audience: ['user'], priority: 0.5 } },
  { type: 'image', data: png, mimeType: 'image/png' },
];

export const sound = [{ type: 'audio', data: wav, mimeType: 'audio/wav' }];

export const link = [
  {
    type: 'resource_link',
    uri: 'fixture://text',
    name: 'text',
    title: 'A text',
    description: 'Linked, not embedded',
    mimeType: 'text/plain',
  },
];

/** @type {any[]} */
export const embedded = [
  { type: 'resource', resource: { uri: 'fixture://text', mimeType: 'text/plain', text: texts.odd } },
  { type: 'resource', resource: { uri: 'fixture://bytes', mimeType: 'image/png', blob: png } },
];

/** Resources in the order they are listed, two to a page. */
export const resources = [
  { uri: 'fixture://text', name: 'text', title: 'A text', description: 'Fixed text', mimeType: 'text/plain' },
  { uri: 'fixture://bytes', name: 'bytes', mimeType: 'image/png' },
  { uri: 'fixture://watched', name: 'watched', mimeType: 'text/plain' },
  { uri: 'fixture://item/1', name: 'item 1', mimeType: 'application/json' },
  { uri: 'fixture://item/2', name: 'item 2', mimeType: 'application/json' },
];

export const pageLength = 2;

export const template = {
  uriTemplate: 'fixture://item/{id}',
  name: 'item',
  title: 'Items',
  description: 'Items by number',
  mimeType: 'application/json',
};

/** @param {string} id */
export function item(id) {
  return { uri: `fixture://item/${id}`, mimeType: 'application/json', text: `{"id":"${id}"}` };
}

export const tones = ['calm', 'cheerful', 'cold'];

/** The people of each team, to complete one argument by another. */
export const teams = { kitchen: ['Ada', 'Alan'], garden: ['Grace', 'Edsger'] };

export const form = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 1 },
    size: { type: 'string', enum: ['small', 'large'] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    gift: { type: 'boolean' },
  },
  required: ['name', 'count'],
};

export const formMessage = 'What would you like?';

export const page = { message: 'Please sign in', url: 'https://example.com/sign-in?next=%2Fhome' };

export const question = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Name the capital of Norway.' } }],
  systemPrompt: 'Answer in one word.',
  maxTokens: 20,
  temperature: 0.25,
  stopSequences: ['.'],
};
