import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Writes a file with three notes to import. Returns its URI. */
export function writeTrees(rootFolder: string): Promise<string> {
  return write(join(rootFolder, 'trees.md'), '# Ash\n\nTough.\n\n# Beech\n\nHard.\n\n# Oak\n\nLasting.\n');
}

/** Writes a file with 500 notes, which takes long to import. Returns its URI. */
export function writePages(rootFolder: string): Promise<string> {
  const pages = Array.from({ length: 500 }, (_, index) => `# Page ${index}\n`);
  return write(join(rootFolder, 'pages.md'), pages.join(''));
}

async function write(file: string, text: string): Promise<string> {
  await writeFile(file, text);
  return pathToFileURL(file).href;
}
