import { entryRule, type LintPlace, type LintRule, quoted } from './rule.js';

const mimeType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;\s*[\w-]+=(?:"[^"]*"|[^\s;]+))*$/;

function place(uri: string): LintPlace {
  return { kind: 'resource', name: uri };
}

const uris: LintRule = {
  id: 'resource-uri',
  severity: 'error',
  about: 'URIs of resources are absolute, valid and unique.',
  *check({ catalog }) {
    const seen = new Set<string>();
    for (const { uri } of catalog.resources) {
      if (!/^[a-z][a-z0-9+.-]*:/i.test(uri) || /[\s<>"{}|\\^`]/.test(uri) || !URL.canParse(uri))
        yield {
          place: place(uri),
          pointer: '/uri',
          message: `${quoted(uri)} is not a valid absolute URI. Begin with a scheme, such as "file:", and encode special characters with "%".`,
        };
      else if (seen.has(uri))
        yield { place: place(uri), pointer: '/uri', message: 'Two resources have this URI. Remove one.' };
      seen.add(uri);
    }
  },
};

const types = entryRule({
  id: 'resource-mime-type',
  severity: 'warning',
  about: 'Resources have a valid MIME type; templates have one that is valid, or none.',
  pointer: '/mimeType',
  problem({ kind, entry }) {
    if (kind !== 'resource' && kind !== 'template') return undefined;
    const { mimeType: type } = entry;
    if (type !== undefined)
      return mimeType.test(type)
        ? undefined
        : `${quoted(type)} is not a MIME type. Write it as "text/plain".`;
    return kind === 'template'
      ? undefined
      : 'The MIME type is missing, so clients guess how to show the content. Add "mimeType".';
  },
});

const sizes = entryRule({
  id: 'resource-size',
  severity: 'warning',
  about: 'Resources have at most as many bytes as the limit `resourceSize`.',
  pointer: '/size',
  problem({ kind, entry }, { resourceSize }) {
    if (kind !== 'resource') return undefined;
    const { size } = entry;
    if (size === undefined || (size >= 0 && size <= resourceSize)) return undefined;
    return size < 0
      ? `The size is ${size}. Write the number of bytes.`
      : `The resource has ${size} bytes, which few clients can give to a model. Split it, or offer a tool that reads parts.`;
  },
});

const templates: LintRule = {
  id: 'resource-template',
  severity: 'error',
  about: 'URI templates are valid (RFC 6570), have variables and are unique.',
  *check({ catalog }) {
    const seen = new Set<string>();
    for (const { uriTemplate } of catalog.resourceTemplates) {
      const problem = seen.has(uriTemplate) ? 'is used twice. Remove one.' : templateProblem(uriTemplate);
      seen.add(uriTemplate);
      if (problem === undefined) continue;
      yield {
        place: { kind: 'template', name: uriTemplate },
        pointer: '/uriTemplate',
        message: `The URI template ${problem}`,
      };
    }
  },
};

const expression = /^[+#./;?&]?[\w.%]+(?::[1-9]\d{0,3}|\*)?(?:,[\w.%]+(?::[1-9]\d{0,3}|\*)?)*$/;

function templateProblem(template: string): string | undefined {
  const expressions = [...template.matchAll(/\{([^{}]*)\}/g)];
  if (/[{}]/.test(template.replace(/\{[^{}]*\}/g, ''))) return 'has a brace without its pair. Correct it.';
  const wrong = expressions.find(([, inner = '']) => !expression.test(inner));
  if (wrong !== undefined)
    return `has the expression ${quoted(wrong[0])}, which RFC 6570 does not have. Correct it.`;
  return expressions.length === 0 ? 'has no variable. List it as a resource.' : undefined;
}

/** Rules about resources and templates. */
export const resourceRules: readonly LintRule[] = [uris, types, sizes, templates];
