import { describe, expect, it } from 'vitest';
import { guardedAnswer, refusalPage } from './page-answers.js';

describe('guardedAnswer', () => {
  it('keeps a policy of the page, and forbids frames besides', () => {
    const own = { 'content-security-policy': "default-src 'self'", 'cache-control': 'public' };
    const { headers } = guardedAnswer(new Response('x', { headers: own }), undefined);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self', frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('keeps status, body, where it leads to, and cookies of the page', async () => {
    const headers = new Headers({ location: 'https://third.example/' });
    headers.append('set-cookie', 'one=1');
    headers.append('set-cookie', 'two=2');
    const answer = guardedAnswer(new Response('moved', { status: 303, headers }), 'three=3');
    expect([answer.status, await answer.text()]).toEqual([303, 'moved']);
    expect(answer.headers.get('location')).toBe('https://third.example/');
    expect(answer.headers.getSetCookie()).toEqual(['one=1', 'two=2', 'three=3']);
    expect(guardedAnswer(Response.redirect('https://third.example/', 302), undefined).status).toBe(302);
  });
});

describe('refusalPage', () => {
  it.each([
    ['gone', 410],
    ['another-user', 403],
    ['another-browser', 403],
    ['not-identified', 403],
    ['sign-in-failed', 400],
    ['cross-site', 403],
  ] as const)('tells a person what to do: %s', async (reason, status) => {
    const answer = refusalPage(reason);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/^<!doctype html>.*<h1>[A-Z].*<\/h1><p>.*\.<\/p><\/html>$/);
  });
});
