import { describe, expect, it } from 'vitest';
import { guardedResponse, refusalResponse } from './page-responses.js';

describe('guardedResponse', () => {
  it('keeps the policy of the page, and forbids frames', () => {
    const own = { 'content-security-policy': "default-src 'self'", 'cache-control': 'public' };
    const { headers } = guardedResponse(new Response('x', { headers: own }), undefined);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self', frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('keeps status, body, location and cookies of the page', async () => {
    const headers = new Headers({ location: 'https://third.example/' });
    headers.append('set-cookie', 'one=1');
    headers.append('set-cookie', 'two=2');
    const answer = guardedResponse(new Response('moved', { status: 303, headers }), 'three=3');
    expect([answer.status, await answer.text()]).toEqual([303, 'moved']);
    expect(answer.headers.get('location')).toBe('https://third.example/');
    expect(answer.headers.getSetCookie()).toEqual(['one=1', 'two=2', 'three=3']);
    expect(guardedResponse(Response.redirect('https://third.example/', 302), undefined).status).toBe(302);
  });
});

describe('refusalResponse', () => {
  it.each([
    ['gone', 410],
    ['another-user', 403],
    ['another-browser', 403],
    ['not-identified', 403],
    ['sign-in-failed', 400],
    ['cross-site', 403],
  ] as const)('tells the user what to do: %s', async (reason, status) => {
    const answer = refusalResponse(reason);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/^<!doctype html>.*<h1>[A-Z].*<\/h1><p>.*\.<\/p><\/html>$/);
  });
});
