export const twoServers = { name: 'two-servers', about: 'todo', run: async () => [] };
