// The server of a storm, in a process of its own.
import { isSuspension } from '@tenon/mcp-server';
import { serveCommands } from '../../children/commands.js';
import { sortedComplaints } from '../../children/complaints.js';
import { CountedClock } from '../../children/counted-clock.js';
import { serverCommands } from './server-commands.js';

serveCommands(serverCommands({ clock: new CountedClock(), found: sortedComplaints(isSuspension) }));
