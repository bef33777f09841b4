import type { TestAnswer } from '../http/answer.js';

/** Returns an HTML page without scripts, which other pages may not frame. */
export function page(title: string, content: string, status = 200): TestAnswer {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body>
<h1>${escaped(title)}</h1>
${content}
<p id="warning">This authorization server is for tests only: anybody may sign in as anybody.</p>
</body>
</html>
`,
  };
}

/** Returns a text escaped for HTML, attributes included. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
