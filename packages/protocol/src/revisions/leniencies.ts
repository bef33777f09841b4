import type { Allowance, LeniencyName } from '../codec/relax.js';

/** A deviation from the protocol that is accepted, because its meaning is clear. */
export interface Leniency {
  /** The behaviour of the peer. */
  readonly departure: string;
  /** The interpretation at this end. */
  readonly reading: string;
  /** A peer that needs it. */
  readonly peer: string;
}

/** All leniencies of the reading side. Sent messages are always strict. */
export const leniencies: Readonly<Record<LeniencyName, Leniency>> = {
  'null-member': {
    departure: 'an optional member is null, or a required object that may be empty',
    reading:
      'it is read as absent, and the object as {}; arguments, structured content, answers to forms, log data and schemas keep their nulls',
    peer: 'servers with a serializer that writes every member',
  },
  'empty-list': {
    departure: 'an empty object is written as []',
    reading: 'it is read as {}, in the same places',
    peer: 'servers in PHP, where both are one array',
  },
  'no-content': {
    departure: 'a tool result has no "content"',
    reading: '"content" is read as empty; "structuredContent" and all else are kept',
    peer: '`@cloudflare/mcp-server-cloudflare`',
  },
  'tool-result': {
    departure: 'a tool result has "toolResult" and no "content", as in a draft before 2024-11-05',
    reading: 'it is read as "content" of one text: itself, or its JSON; it is kept as well',
    peer: 'servers made with the first versions of the official SDKs',
  },
  'text-id': {
    departure: 'an answer has the text of a number as its id ("2" for 2)',
    reading: 'it answers the request with that number',
    peer: 'the MCP server of Autopsy',
  },
  'empty-cursor': {
    departure: '"nextCursor" is empty, in a revision with a handshake',
    reading: 'the list ends there',
    peer: 'the MCP servers of Alibaba Cloud Model Studio (Bailian)',
  },
  'boolean-property': {
    departure: 'a property of a tool schema is true or false, in a revision with a handshake',
    reading: 'true is read as {} and false as {"not": {}}',
    peer: 'servers made with the Rust SDK: its schema library writes true for a property of any type',
  },
  'untyped-schema': {
    departure:
      'the input schema of a tool, or in a revision with a handshake its output schema, has no "type"',
    reading: 'it is read as the schema of an object',
    peer: '`@zereight/mcp-gitlab`, `mcp-server-taskwarrior`, and servers made with the Rust SDK, for tools without parameters',
  },
  'malformed-item': {
    departure: 'a list holds definitions that are not valid',
    reading: 'they are left out, and the others are listed',
    peer: "servers made with the Rust SDK, where a tool's input is an enum",
  },
  'probe-error-500': {
    departure: 'server/discover is answered with HTTP 500 and a JSON-RPC error',
    reading: 'initialize is tried once',
    peer: '`@cyanheads/git-mcp-server` over HTTP, and servers made from its template',
  },
};

/** Returns the sentence that reports a leniency to the application. */
export function leniencyText({ leniency, detail }: Allowance, method: string): string {
  const { departure, reading } = leniencies[leniency];
  const text = `The server or client at the other end breaks the protocol in ${method}: ${departure}. Here ${reading}.`;
  return detail === undefined ? text : `${text} ${detail}`;
}
