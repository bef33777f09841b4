import { describeReloads } from './reloads.js';

describeReloads(['2024-11-05', '2025-03-26', '2025-06-18']);
