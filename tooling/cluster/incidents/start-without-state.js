export const startWithoutState = { name: 'start-without-state', about: 'todo', run: async () => [] };
