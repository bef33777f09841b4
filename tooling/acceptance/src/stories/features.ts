import type { Row } from '../behaviours/rows.js';
import type { Step } from '../transcripts/transcript.js';

/** A feature, its story, and the line that shows it. */
export interface Feature {
  readonly name: string;
  readonly story: string;
  readonly fixtureKind: Row['fixtureKind'];
  /** Matches one line of the story, after its arrow, as {@link lineOf} writes it. */
  readonly shows: RegExp;
  /**
   * Returns the reason why a revision lacks the feature; undefined if it has it. In a revision without the feature, no line
   * of the server matches.
   */
  absent(revision: string): string | undefined;
}

const [second, third, fourth, fifth] = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

/** The revisions with a feature. */
type Reach = Feature['absent'];

const always: Reach = () => undefined;

function since(revision: string): Reach {
  return (one) => (one < revision ? `came with ${revision}` : undefined);
}

function until(revision: string, because: string): Reach {
  return (one) => (one > revision ? because : undefined);
}

function only(revision: string, { before, after }: { before: string; after: string }): Reach {
  return (one) => {
    if (one === revision) return undefined;
    return one < revision ? before : after;
  };
}

type Line = readonly [name: string, shows: RegExp, reach?: Reach];

/** Returns the features of one story. */
function of(
  story: string,
  lines: readonly Line[],
  fixtureKind: Row['fixtureKind'] = 'frames',
): readonly Feature[] {
  return lines.map(([name, shows, absent = always]) => ({ name, story, fixtureKind, shows, absent }));
}

const noSessions = until(fourth, 'there is no session: each request is independent');
const live = until(fourth, 'the call ends with its input requests');
const rounds = since(fifth);

const beginnings = [
  ...of('lifecycle', [
    ['handshake', /^← .*"protocolVersion": /, noSessions],
    ['discovery', /^← .*"supportedVersions": /, rounds],
    ['instructions', /^← .*"instructions": /],
    ['what the server is called by people', /^← .*"title": "The bench"/, since(third)],
    ['ping', /^← \{"jsonrpc": "2\.0", "id": \d+, "result": \{\}\}/, until(fourth, 'pings are gone')],
    ['unknown methods', /^← .*-32601, "message": "Method not found: tools\/weld"/],
    ['features the server has not', /^← .*-32601, "message": "Method not found: prompts\/list"/],
  ]),
  ...of('negotiation', [['an unknown revision', /^→ .*"2999-01-01"/]]),
  ...of('batches', [
    ['batches', /^← \[/, only(second, { before: 'came with 2025-03-26', after: 'went with 2025-06-18' })],
    [
      'refusal of batches',
      /^← .*A list of messages cannot be taken/,
      (one) => (one === second ? 'batches are there' : undefined),
    ],
  ]),
  ...of('keep-alive', [['ping by the server', /^← .*"method": "ping"/, until(fourth, 'pings are gone')]]),
  ...of('extensions', [['extensions', /^← .*"extensions": \{"com\.example/, rounds]]),
  ...of('experimental', [['experimental capabilities', /^← .*"experimental": \{"holograms"/]]),
];

const tools = [
  ...of('tools', [
    ['list of tools', /^← .*"inputSchema": /],
    ['titles of tools', /^← .*"title": "Add two lengths"/, since(third)],
    ['annotations of tools', /^← .*"readOnlyHint": true/, since(second)],
    ['icons of tools', /^← .*"icons": .*"inputSchema"/, since(fourth)],
    ['metadata of tools', /^← .*"_meta": \{"example\.com\/bench"/, since(third)],
    ['output schemas', /^← .*"outputSchema": /, since(third)],
    ['structured content', /^← .*"structuredContent": \{/, since(third)],
    ['structured content of any kind', /^← .*"structuredContent": \[/, rounds],
    ['content: text', /^← .*"type": "text", "text": "A mortise"/],
    ['content: image', /^← .*"type": "image", "data"/],
    ['content: audio', /^← .*"type": "audio", "data"/, since(second)],
    ['content: resource link', /^← .*"type": "resource_link"/, since(third)],
    ['content: embedded resource', /^← .*"type": "resource", "resource"/],
    ['failures a tool tells of', /^← .*The board is too short\..*"isError": true/],
    ['failures by accident', /^← .*"The tool \\"crash\\" failed\..*"isError": true/],
    ['unknown tools', /^← .*-32602, "message": "Unknown tool: plane"/],
  ]),
  ...of('standard-headers', [['parameters in headers', /^→ .*mcp-param-wood: /i, rounds]], 'http'),
  ...of('result-size', [['results that are too large', /^← .*at most 1000 can be sent/]]),
  ...of('handler-time', [['handlers that take too long', /^← .*was stopped: it took longer than/]]),
  ...of('handles', [['handles', /^← .*"<basket>"/]]),
];

const resources = [
  ...of('resources', [
    ['list of resources', /^← .*"resources": \[/],
    ['list of templates', /^← .*"resourceTemplates": \[ ?\{/],
    ['icons of resources', /^← .*"resources": \[.*"icons": /, since(fourth)],
    ['reading text', /^← .*"contents": .*"text": "Cut here\."/],
    ['reading bytes', /^← .*"blob": "AQID"/],
    ['reading by a template', /^← .*"text": "dovetail joint of 2024"/],
    ['resources that are not there', /^← .*"message": "Resource not found"/],
  ]),
  ...of('subscriptions', [
    [
      'subscriptions to single resources',
      /^→ .*"resources\/subscribe"/,
      until(fourth, 'streams are listened to instead'),
    ],
    ['updates of resources', /^← .*"notifications\/resources\/updated"/],
    ['listening', /^← .*"notifications\/subscriptions\/acknowledged"/, rounds],
    ['several streams at once', /^← .*subscriptionId": "second"/, rounds],
    [
      'listening ended by the client',
      /^→ .*"notifications\/cancelled", "params": \{"requestId": 1\}/,
      rounds,
    ],
  ]),
  ...of(
    'draining',
    [
      [
        'listening ended by the server',
        /^← .*"resultType": "complete", "_meta": \{"io\.modelcontextprotocol\/subscriptionId": 1/,
        rounds,
      ],
    ],
    'http',
  ),
  ...of('list-changes', [
    ['changes of the tools', /^← .*"notifications\/tools\/list_changed"/],
    ['changes of the prompts', /^← .*"notifications\/prompts\/list_changed"/],
    ['changes of the resources', /^← .*"notifications\/resources\/list_changed"/],
    ['listening to one list alone', /^→ .*"notifications": \{"promptsListChanged": true\}/, rounds],
  ]),
  ...of('caching', [['caching hints', /^← .*"ttlMs": 300000, "cacheScope": "public"/, rounds]]),
  ...of('pagination', [
    ['pages of a list', /^← .*"nextCursor": /],
    ['unknown cursors', /^← .*-32602, "message": "params\.cursor: not a cursor of this list/],
  ]),
];

const prompts = [
  ...of('prompts', [
    ['list of prompts', /^← .*"prompts": \[/],
    ['titles of prompts', /^← .*"title": "Explain a joint"/, since(third)],
    ['icons of prompts', /^← .*"prompts": \[.*"icons": /, since(fourth)],
    ['arguments of prompts', /^← .*"arguments": \[/],
    ['messages of a prompt', /^← .*"messages": \[/],
  ]),
  ...of('completion', [
    ['completion', /^← .*"completion": \{"values": \["ash"/],
    ['what was chosen before', /^← .*"values": \["red", "white"\]/, since(third)],
  ]),
];

const running = [
  ...of('logging', [
    ['log messages', /^← .*"notifications\/message"/],
    [
      'a level for the session',
      /^→ .*"logging\/setLevel"/,
      until(fourth, 'each request has a level of its own'),
    ],
    ['a level for the request', /^→ .*io\.modelcontextprotocol\/logLevel": "error"/, rounds],
  ]),
  ...of('log-rate', [['rate of log messages', /^← .*Log messages dropped: 3/]]),
  ...of('redaction', [['credentials in log messages', /^← .*"password": "\[redacted\]"/]]),
  ...of('progress', [
    ['progress', /^← .*"notifications\/progress"/],
    ['messages of progress', /^← .*"message": "one board"/, since(second)],
  ]),
  ...of('cancellation', [['cancellation', /^→ .*"notifications\/cancelled"/]]),
  ...of('rates', [['rates of calls', /^← .*-31004.*"retryAfterMs": 2000/]]),
  ...of('rates', [['the wait as a header', /^← second: 429 .*retry-after: 4/, since(second)]], 'http'),
  ...of('visibility', [['what one caller sees and another does not', /^→ bob-call: /]], 'http'),
  ...of('trace', [
    ['trace metadata', /^← .*traceparent: 00-0af7/],
    ['metadata of results', /^← .*"example\.com\/cost": 2/],
  ]),
];

const inputRequests = [
  ...of('roots', [
    ['roots', /^← .*"method": "roots\/list"/],
    ['changes of roots', /^→ .*"notifications\/roots\/list_changed"/, live],
    ['error -32021', /^← .*"code": -32021/, rounds],
  ]),
  ...of('sampling', [
    ['sampling', /^← .*"method": "sampling\/createMessage"/],
    ['tools for the model', /^← .*"toolChoice": \{"mode": "required"/, since(fourth)],
  ]),
  ...of('sampling-context', [['context for the model', /^← .*"includeContext": "thisServer"/]]),
  ...of('elicitation', [
    ['forms', /^← .*"requestedSchema": /, since(third)],
    ['forms that are declined', /^→ .*"action": "decline"/, since(third)],
  ]),
  ...of('pages', [
    ['pages for the user', /^← .*"mode": "url"/, since(fourth)],
    [
      'error -32042',
      /^← .*"code": -32042/,
      only(fourth, { before: 'came with 2025-11-25', after: 'the call ends with its input requests' }),
    ],
    [
      'visits that are over',
      /^← .*"notifications\/elicitation\/complete"/,
      only(fourth, { before: 'came with 2025-11-25', after: 'the client asks again' }),
    ],
  ]),
  ...of('input-requests', [
    ['several input requests at once', /^→ .*"model": "small-1"/],
    ['input requests that are cancelled', /^← .*"notifications\/cancelled"/, live],
    ['rounds of input', /^← .*"resultType": "input_required".*"requestState": /, rounds],
    ['a state that was changed', /^← .*-32602, "message": "params\.requestState: is not valid/, rounds],
  ]),
];

const failing = [
  ...of('errors', [
    ['errors of a handler', /^← .*"code": 4001.*"data": \{"key": "brass"/],
    ['content that is not what it says', /^→ .*"name": "paint"/],
    ['error -32602', /^← .*"code": -32602/],
    ['error -32603', /^← .*"code": -32603, "message": "Internal error"/],
  ]),
  ...of(
    'refusals',
    [
      ['error -32600', /^← .*"code": -32600/],
      ['error -32700', /^← .*"code": -32700/],
    ],
    'http',
  ),
];

/** All features of the stories. */
export const features: readonly Feature[] = [
  ...beginnings,
  ...tools,
  ...resources,
  ...prompts,
  ...running,
  ...inputRequests,
  ...failing,
];

/** Returns a step of a story as one line, independent of its line breaks. */
export function lineOf({ direction, text }: Step): string {
  const flat = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/([[{]) /g, '$1')
    .replaceAll(/ ([\]}])/g, '$1');
  return `${direction === 'out' ? '→' : '←'} ${flat}`;
}
