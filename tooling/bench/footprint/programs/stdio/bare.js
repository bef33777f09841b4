// The cost of every start: Node itself, reading lines and writing fixed answers.
const answers = {
  initialize:
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"start","version":"1.0.0"}}}\n',
  'tools/list':
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"plan","description":"Plans a stay","inputSchema":{"type":"object"}}]}}\n',
  'tools/call': '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"3 days in Oslo"}]}}\n',
};

process.stdin.setEncoding('utf8').on('data', (lines) => {
  for (const [method, answer] of Object.entries(answers)) {
    if (lines.includes(`"${method}"`)) process.stdout.write(answer);
  }
});
