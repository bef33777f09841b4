// Bare Node with the schema library, and one schema created and used: the least cost of a server with zod.
import { z } from 'zod';
import './bare.js';

z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) }).parse({ city: 'Oslo', days: 3 });
