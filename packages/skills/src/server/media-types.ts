const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    css: 'text/css',
    csv: 'text/csv',
    gif: 'image/gif',
    html: 'text/html',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    js: 'text/javascript',
    json: 'application/json',
    md: 'text/markdown',
    mjs: 'text/javascript',
    pdf: 'application/pdf',
    png: 'image/png',
    py: 'text/x-python',
    sh: 'application/x-sh',
    svg: 'image/svg+xml',
    toml: 'application/toml',
    ts: 'text/x-typescript',
    txt: 'text/plain',
    webp: 'image/webp',
    xml: 'application/xml',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    zip: 'application/zip',
  }),
);

/** Returns the media type for the name of a file. */
export function mediaTypeOf(path: string): string {
  const [, extension = ''] = /\.([^./]+)$/.exec(path) ?? [];
  return types.get(extension.toLowerCase()) ?? 'application/octet-stream';
}
