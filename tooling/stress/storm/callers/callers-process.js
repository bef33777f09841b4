// The callers of a storm, in a process of their own.
import { serveCommands } from '../../children/commands.js';
import { sortedComplaints } from '../../children/complaints.js';
import { CountedClock } from '../../children/counted-clock.js';
import { callerCommands } from './caller-commands.js';

serveCommands(callerCommands({ clock: new CountedClock(), found: sortedComplaints() }));
