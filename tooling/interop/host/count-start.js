// Preloaded by a server: writes its name and its process id into a file each time it starts.
import { appendFileSync } from 'node:fs';

const { INTEROP_STARTS: file, INTEROP_SERVER: name } = process.env;
if (file !== undefined) appendFileSync(file, `${name} ${process.pid}\n`);
