import { parseSync } from 'oxc-parser';
import { markdownOf } from './doc-comment.js';

/**
 * The interfaces of options, in the order of the page.
 *
 * @type {readonly (readonly [heading: string, entry: string, name: string])[]}
 */
export const optionInterfaces = [
  ['createServer(info, options)', '@tenon/mcp-server', 'ServerOptions'],
  ['server.tool(name, options, handler)', '@tenon/mcp-server', 'ToolOptions'],
  ['server.resource(uri, options, handler)', '@tenon/mcp-server', 'ResourceOptions'],
  ['server.prompt(name, options, handler)', '@tenon/mcp-server', 'PromptOptions'],
  ['serveStdio(server, options)', '@tenon/mcp-server/stdio', 'ServeStdioOptions'],
  ['serveHttp(server, options): the port', '@tenon/mcp-transport-http/node', 'ListenOptions'],
  ['serveHttp, toNodeHandler, toFetchHandler', '@tenon/mcp-transport-http/server', 'HttpOptions'],
  ['connect(target, options)', '@tenon/mcp-client', 'ClientOptions'],
  ['connect(url, options)', '@tenon/mcp-client', 'UrlOptions'],
  ['callTool(name, input, options) and other calls', '@tenon/mcp-client', 'CallOptions'],
  ['connectTest(server, options)', '@tenon/mcp-testing', 'ConnectTestOptions'],
];

/**
 * @typedef {object} Described an interface, and what its types refer to
 * @property {string} source
 * @property {(name: string) => string | undefined} link
 * @property {(name: string) => string} docOf
 */

/**
 * @param {(entry: string, name: string) => Described} find
 * @param {typeof optionInterfaces} [interfaces]
 */
export function optionsPage(find, interfaces = optionInterfaces) {
  const sections = interfaces.map(([heading, entry, name]) => {
    const { source, link, docOf } = find(entry, name);
    const rows = membersOf(source).map(({ member, type, doc, typeName }) => {
      const text =
        member === 'limits'
          ? 'See [Limits](../limits.md).'
          : markdownOf(doc || firstSentence(docOf(typeName)), link);
      return `| \`${member}\`${type && `<br>${type}`} | ${cell(text)} |`;
    });
    const table = `| option | what it does |\n|---|---|\n${rows.join('\n')}\n`;
    return `## ${heading}\n\n[\`${name}\`](${link(name)}) of \`${entry}\`.\n\n${table}`;
  });
  return `# Options\n\nThe options of the functions that most programs call. This page is generated from the declarations.\n\n${sections.join('\n')}`;
}

/**
 * @param {string} source of an interface
 * @returns {{ member: string, type: string, doc: string, typeName: string }[]}
 */
function membersOf(source) {
  const { program, comments } = parseSync('options.d.ts', source);
  const [statement] = program.body;
  if (statement?.type !== 'TSInterfaceDeclaration') throw new Error(`no interface: ${source.slice(0, 80)}`);
  return statement.body.body.flatMap((node) => {
    if (
      (node.type !== 'TSPropertySignature' && node.type !== 'TSMethodSignature') ||
      node.key.type !== 'Identifier'
    )
      return [];
    const before = comments.filter(({ end }) => end <= node.start).at(-1);
    const isOwn = before !== undefined && source.slice(before.end, node.start).trim() === '';
    const doc = isOwn
      ? before.value
          .replace(/^\*/, '')
          .replace(/^ *\* ?/gm, '')
          .trim()
      : '';
    const type = node.type === 'TSPropertySignature' ? node.typeAnnotation?.typeAnnotation : undefined;
    const named = type?.type === 'TSTypeReference' ? type.typeName : undefined;
    const typeName = named?.type === 'Identifier' ? named.name : '';
    return [{ member: node.key.name, type: typeOf(source, node), doc, typeName }];
  });
}

/**
 * @param {string} source
 * @param {import('oxc-parser').TSPropertySignature | import('oxc-parser').TSMethodSignature} node
 */
function typeOf(source, node) {
  if (node.type === 'TSMethodSignature') return 'function';
  const annotation = node.typeAnnotation?.typeAnnotation;
  if (annotation === undefined) return '';
  const text = source.slice(annotation.start, annotation.end).replace(/\s+/g, ' ');
  if (annotation.type === 'TSFunctionType') return 'function';
  return text.length > 60 ? '' : `\`${text.replaceAll('|', '\\|')}\``;
}

/** @param {string} doc */
function firstSentence(doc) {
  return doc.split(/(?<=\.)\s/)[0] ?? '';
}

/** @param {string} text */
function cell(text) {
  return text
    .replace(/\n+- /g, '<br>')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}
