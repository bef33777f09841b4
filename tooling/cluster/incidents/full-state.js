export const fullState = { name: 'full-state', about: 'todo', run: async () => [] };
