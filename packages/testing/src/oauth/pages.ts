import type { OauthProblem, RecordedAuthorizationRequest, TestAnswer } from './messages.js';
import { isLoopbackUri } from './redirect-uris.js';

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

/** Shows a rejected request to the user. */
export function problemPage({ error, message }: OauthProblem): TestAnswer {
  const text = `<p id="error">${escaped(error)}</p><p>${escaped(message)}</p>`;
  return page('This request cannot be answered', text, 400);
}

/** For HTML, attributes included. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Returns the page on which the user allows or denies the access a client requests.
 * @param form - the URL it is posted to, and the id of the request
 */
export function consentPage(
  { redirectUri, scopes, resources, clientId }: RecordedAuthorizationRequest,
  clientName: string,
  form: { readonly action: string; readonly id: string },
): TestAnswer {
  const { host, protocol } = new URL(redirectUri);
  const local = isLoopbackUri(redirectUri)
    ? '<p id="local">Any program on this machine could be asking: allow only what you started yourself.</p>'
    : '';
  return page(
    'Sign in',
    `<p><strong id="client">${escaped(clientName)}</strong> (<code id="client-id">${escaped(clientId)}</code>) asks for access.</p>
<p>You will be sent to <strong id="redirect-host">${escaped(host || protocol)}</strong>.</p>
${local}
<p>For:</p>
<ul id="resources">${items(resources)}</ul>
<p>It may then:</p>
<ul id="scopes">${items(scopes)}</ul>
<form method="post" action="${escaped(form.action)}">
<input type="hidden" name="request" value="${escaped(form.id)}">
<button type="submit" id="allow" name="decision" value="allow">Allow</button>
<button type="submit" id="deny" name="decision" value="deny">Deny</button>
</form>`,
  );
}

function items(texts: readonly string[]): string {
  return texts.map((text) => `<li>${escaped(text)}</li>`).join('');
}
