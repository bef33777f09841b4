import { openView } from '@tenon/mcp-apps/view';

export const view = await openView({ info: { name: 'view', version: '1.0.0' } });
