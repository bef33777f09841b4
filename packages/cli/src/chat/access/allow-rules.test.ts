import type { AccessRequest } from '@tenon/mcp-host';
import { describe, expect, it } from 'vitest';
import { AllowRules } from './allow-rules.js';

const request = (kind: AccessRequest['kind'], server: string, name: string) =>
  ({ kind, server, name, roots: [{ uri: 'file:///a' }] }) as unknown as AccessRequest;

async function actionOf(rules: AllowRules, ...[kind, server, name]: Parameters<typeof request>) {
  const decision = await rules.policy(request(kind, server, name));
  return typeof decision === 'string' ? decision : decision.action;
}

describe('AllowRules', () => {
  it.each([
    ['shop', 'tool', 'shop', 'buy', 'allow'],
    ['shop', 'roots', 'shop', 'roots', 'allow'],
    ['shop', 'start', 'shop', 'node shop.js', 'allow'],
    ['shop', 'tool', 'shop2', 'buy', 'ask'],
    ['shop.search_*', 'tool', 'shop', 'search_all', 'allow'],
    ['shop.search_*', 'tool', 'shop', 'buy', 'ask'],
    ['shop.search_*', 'start', 'shop', 'node shop.js', 'allow'],
    ['shop.search_*', 'roots', 'shop', 'roots', 'ask'],
    ['shop.search_*', 'start', 'other', 'node shop.search_x', 'ask'],
    ['a.b.c', 'tool', 'a.b', 'c', 'allow'],
    ['s.*', 'tool', 'sx', 'buy', 'ask'],
    ['*', 'tool', 'any', 'buy', 'allow'],
  ] as const)('with %s, for %s of %s (%s): %s', async (...row) => {
    const [rule, kind, server, name, action] = row;
    const rules = new AllowRules(new Set());
    rules.add(rule);
    expect(await actionOf(rules, kind, server, name)).toBe(action);
  });

  it('asks for all without rules, but for programs that the user wrote, and sampling, which is reviewed', async () => {
    const rules = new AllowRules(new Set(['own']));
    expect(await actionOf(rules, 'tool', 'own', 'x')).toBe('ask');
    expect(await actionOf(rules, 'start', 'own', 'node x')).toBe('allow');
    expect(await actionOf(rules, 'start', 'other', 'node x')).toBe('ask');
    expect(await actionOf(rules, 'sampling', 'other', 'sampling')).toBe('allow');
    expect(await actionOf(rules, 'resource', 'other', 'a://b')).toBe('ask');
  });
});
