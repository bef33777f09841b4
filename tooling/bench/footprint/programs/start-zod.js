// Bare Node with the schema library alone, and a schema made and used: what a server that takes zod cannot do without.
import { z } from 'zod';
import './start-bare.js';

z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) }).parse({ city: 'Oslo', days: 3 });
