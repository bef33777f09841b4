export const drainWithAnswers = { name: 'drain-with-answers', about: 'todo', run: async () => [] };
