const name = '{{serverName}}';

export default function Page() {
  return (
    <main>
      <h1>{name}</h1>
      <p>
        MCP clients connect to <code>/mcp</code> on this host.
      </p>
    </main>
  );
}
