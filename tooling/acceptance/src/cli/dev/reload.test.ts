import { describeReloads } from './reloads.js';

// `reload-older.test.ts` has the others, which differ from 2025-11-25 in messages that no reload concerns.
describeReloads(['2025-11-25', '2026-07-28']);
