import { expect, it } from 'vitest';
import { apiPage } from './api-page.js';

it('leads from the report of a package to the page of the API reference, and from a name to its declaration', () => {
  expect(apiPage('api', 'API')).toBe('/reference/api/index.md');
  expect(apiPage('api/mcp-apps.api.md', 'the report')).toBe('/reference/api/mcp-apps.md');
  expect(apiPage('api/server.api.md', 'ToolOptions')).toBe('/reference/api/server.md#ToolOptions');
  expect(apiPage('docs/guide/api.md', 'API')).toBeUndefined();
});
