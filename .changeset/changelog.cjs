// Entries of changelogs: a changeset as usual, and no lines for dependencies, because all packages share one version.
const { default: standard } = require('@changesets/cli/changelog');

module.exports = {
  getReleaseLine: standard.getReleaseLine,
  getDependencyReleaseLine: async () => '',
};
