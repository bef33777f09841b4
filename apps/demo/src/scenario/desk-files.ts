import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Three notes to import. Gives the file's URI. */
export function writeTrees(desk: string): Promise<string> {
  return write(join(desk, 'trees.md'), '# Ash\n\nTough.\n\n# Beech\n\nHard.\n\n# Oak\n\nLasting.\n');
}

/** More notes than anybody waits for. Gives the file's URI. */
export function writePages(desk: string): Promise<string> {
  const pages = Array.from({ length: 500 }, (_, index) => `# Page ${index}\n`);
  return write(join(desk, 'pages.md'), pages.join(''));
}

async function write(file: string, text: string): Promise<string> {
  await writeFile(file, text);
  return pathToFileURL(file).href;
}
