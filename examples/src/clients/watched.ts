// Starts, restarts and stops what a change of a configuration file concerns.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemText } from '@tenon/mcp-config';
import { watchServers } from '@tenon/mcp-config/watch';

const folder = mkdtempSync(join(tmpdir(), 'watched-'));
const file = join(folder, 'mcp.json');
writeFileSync(file, '{ "mcpServers": { "notes": { "command": "notes" }, "tea": { "command": "tea" } } }');

// Without `file` it watches the files of all known clients.
const watcher = await watchServers({
  file,
  onChange({ added, changed, removed }) {
    for (const { name } of added) console.log(`start ${name}`);
    for (const { name } of changed) console.log(`restart ${name}`);
    for (const { name } of removed) console.log(`stop ${name}`);
    watcher.close();
    rmSync(folder, { recursive: true });
  },
  onProblem: (problem) => console.error(problemText(problem)),
});
for (const { name } of watcher.servers) console.log(`start ${name}`);

writeFileSync(file, '{ "mcpServers": { "notes": { "url": "http://127.0.0.1:3000/mcp" } } }');
