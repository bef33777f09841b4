import { expect, test } from 'vitest';
import { canonicalResource, resourceProblem } from './resource-metadata.js';

const server = 'https://mcp.example/team/mcp';
const pathPlace = 'https://mcp.example/.well-known/oauth-protected-resource/team/mcp';
const rootPlace = 'https://mcp.example/.well-known/oauth-protected-resource';
const ownPlace = 'https://mcp.example/team/mcp/metadata.json';
const elsewhere = 'https://cdn.example/.well-known/oauth-protected-resource';
const wellKnown = [pathPlace, rootPlace];
const anywhere = [...wellKnown, ownPlace, elsewhere];

interface Case {
  readonly resource: string;
  readonly server?: string;
  /** URLs where the resource is accepted. */
  readonly from: readonly string[];
}

const table: Readonly<Record<string, readonly Case[]>> = {
  'identical, however the scheme and host are written': [
    { resource: server, from: anywhere },
    { resource: 'HTTPS://MCP.Example/team/mcp', from: anywhere },
    { resource: 'https://mcp.example:443/team/mcp', from: anywhere },
    { resource: 'https://mcp.example', server: 'https://mcp.example/', from: anywhere },
    { resource: 'https://mcp.example/', server: 'https://mcp.example/', from: anywhere },
    { resource: `${server}?a=b`, server: `${server}?a=b`, from: anywhere },
    { resource: 'http://localhost:3000/mcp', server: 'http://localhost:3000/mcp', from: anywhere },
  ],
  'the same with or without a trailing slash': [
    { resource: `${server}/`, from: anywhere },
    { resource: server, server: `${server}/`, from: anywhere },
  ],
  'the origin or a path above, read at a well-known URL of the origin': [
    { resource: 'https://mcp.example', from: wellKnown },
    { resource: 'https://mcp.example/', from: wellKnown },
    { resource: 'https://mcp.example/team', from: wellKnown },
    { resource: 'https://mcp.example/team/', from: wellKnown },
    { resource: server, server: `${server}?a=b`, from: wellKnown },
  ],
  'another origin': [
    { resource: 'https://evil.example/team/mcp', from: [] },
    { resource: 'http://mcp.example/team/mcp', from: [] },
    { resource: 'https://mcp.example:8443/team/mcp', from: [] },
    { resource: 'https://mcp.example.evil.example/team/mcp', from: [] },
    { resource: 'https://mcp.example@evil.example/team/mcp', from: [] },
    { resource: 'https://user@mcp.example/team/mcp', from: [] },
  ],
  'another path: deeper, beside, or with a common prefix': [
    { resource: `${server}/deeper`, from: [] },
    { resource: 'https://mcp.example/other/mcp', from: [] },
    { resource: 'https://mcp.example/team/mc', from: [] },
    { resource: 'https://mcp.example/te', from: [] },
    { resource: 'https://mcp.example/Team/mcp', from: [] },
    { resource: 'https://mcp.example/team%2Fmcp', from: [] },
    { resource: 'https://mcp.example/mcp', server: 'https://mcp.example', from: [] },
    { resource: `${server}?a=b`, from: [] },
    { resource: 'https://mcp.example/team?a=b', server: `${server}?a=b`, from: [] },
  ],
  'not a plain URL': [
    { resource: `${server}#x`, from: [] },
    { resource: `${server}#`, from: [] },
    { resource: 'https://mcp.example/other/../team/mcp', from: [] },
    { resource: 'https://mcp.example/team/./mcp', from: [] },
    { resource: 'https:\\\\mcp.example\\team\\mcp', from: [] },
    { resource: ` ${server} `, from: [] },
    { resource: 'https://mcp.example/team\t/mcp', from: [] },
    { resource: 'mcp.example/team/mcp', from: [] },
    { resource: '/team/mcp', from: [] },
    { resource: '', from: [] },
    { resource: 'urn:example:mcp', from: [] },
  ],
};

for (const [name, cases] of Object.entries(table)) {
  test(`checks a resource that is ${name}`, () => {
    for (const { resource, server: served = server, from } of cases) {
      for (const place of anywhere) {
        const problem = resourceProblem(resource, new URL(served), new URL(place));
        const message = `${resource} for ${served} at ${place}`;
        if (from.includes(place)) expect(problem, message).toBeUndefined();
        else expect(problem, message).toMatch(/^it /);
      }
    }
  });
}

test('identifies a server without metadata by its URL, without a trailing slash of an origin', () => {
  expect(canonicalResource(new URL('https://mcp.example'))).toBe('https://mcp.example');
  expect(canonicalResource(new URL('HTTPS://Mcp.Example:443/'))).toBe('https://mcp.example');
  expect(canonicalResource(new URL('https://mcp.example/mcp/#x'))).toBe('https://mcp.example/mcp/');
  expect(canonicalResource(new URL('https://mcp.example/?a=b'))).toBe('https://mcp.example/?a=b');
});
