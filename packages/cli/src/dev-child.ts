// The program that `tenon dev` starts in the process of a server, in the package that is published.
export { runChild } from '@tenon/mcp-workbench/dev-child';
