import { existsSync } from 'node:fs';
import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { Container, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documentsOf, type Manifest, problemsOf, textOf } from '../../test/manifests.js';

const program = textOf('src/deploy/node.ts');
const manifests = [
  ...documentsOf('deploy/kubernetes/redis.yaml'),
  ...documentsOf('deploy/kubernetes/server.yaml'),
];

/** The environment variables that the program reads. */
const variables = [...program.matchAll(/\b([A-Z][A-Z_]+)(?= =|[, ]+[A-Z]| })/g)].map(([name]) => name);

/** Returns the one manifest of a kind with a name. */
function find<Kind extends object>(kind: string, name: string): Kind {
  const found = manifests.filter(
    (one) => one.kind === kind && (one.metadata as { name: string }).name === name,
  );
  expect(found).toHaveLength(1);
  return found[0] as unknown as Kind;
}

function podOf({ spec }: Deployment | StatefulSet) {
  const [container, ...others] = spec?.template.spec?.containers ?? [];
  expect(others).toEqual([]);
  return {
    labels: spec?.template.metadata?.labels,
    spec: spec?.template.spec,
    container: container as Container,
  };
}

const deployment = find<Deployment>('Deployment', 'orders');
const redis = find<StatefulSet>('StatefulSet', 'redis');
const node = podOf(deployment);
const store = podOf(redis);
const variableOf = (name: string) => node.container.env?.find((variable) => variable.name === name)?.value;

describe('manifests of Kubernetes', () => {
  it('have the members that Kubernetes knows', () => {
    expect(problemsOf(manifests)).toBe('');
  });

  it.each([
    ['a misspelt member', { spec: { ...deployment.spec, replica: 2 } }, `'"replica"' does not exist`],
    [
      'a missing member',
      { spec: { ...deployment.spec, selector: undefined } },
      "Property 'selector' is missing",
    ],
    [
      'a member of another type',
      { spec: { ...deployment.spec, replicas: '2' } },
      "Type 'string' is not assignable to type 'number'",
    ],
  ])('are rejected with %s', (_, change, problem) => {
    expect(problemsOf([{ ...deployment, ...change } as unknown as Manifest])).toContain(problem);
  });

  it('select the pods that they name', () => {
    for (const { labels, owner } of [
      { labels: node.labels, owner: deployment },
      { labels: store.labels, owner: redis },
    ]) {
      const { name } = owner.metadata ?? {};
      expect(owner.spec?.selector.matchLabels).toEqual(labels);
      const service = find<Service>('Service', String(name));
      expect(service.spec?.selector).toEqual(labels);
    }
    const policy = find<NetworkPolicy>('NetworkPolicy', 'redis').spec;
    expect(policy?.podSelector.matchLabels).toEqual(store.labels);
    expect(policy?.ingress?.map(({ from }) => from)).toEqual([
      [{ podSelector: { matchLabels: node.labels } }],
    ]);
    expect(find<PodDisruptionBudget>('PodDisruptionBudget', 'orders').spec?.selector?.matchLabels).toEqual(
      node.labels,
    );
    const { scaleTargetRef } = find<HorizontalPodAutoscaler>('HorizontalPodAutoscaler', 'orders').spec ?? {};
    expect(scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'orders' });
  });

  it('name ports that the containers have', () => {
    for (const { container, name } of [
      { container: node.container, name: 'orders' },
      { container: store.container, name: 'redis' },
    ]) {
      const ports = container.ports?.map((port) => port.name);
      const targets = find<Service>('Service', name).spec?.ports?.map((port) => port.targetPort);
      expect(ports).toEqual(targets);
    }
    const { readinessProbe, livenessProbe, ports } = node.container;
    expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(ports?.[0]?.containerPort).toBe(3000);
  });

  it('give a pod more time to end than it needs', () => {
    const { terminationGracePeriodSeconds = 30 } = node.spec ?? {};
    const pause = node.container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    const probed = (node.container.readinessProbe?.periodSeconds ?? 10) + 1;
    const drain = Number(variableOf('DRAIN_MS')) / 1_000;
    expect(pause).toBeGreaterThan(probed);
    // Calls finish, then clients read their answers: each has the time of `limits.drain`.
    expect(terminationGracePeriodSeconds).toBeGreaterThan(pause + 2 * drain);
  });

  it('replace pods without a gap, and keep one while machines are maintained', () => {
    const { replicas = 1, strategy } = deployment.spec ?? {};
    expect(strategy?.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    const { maxUnavailable } = find<PodDisruptionBudget>('PodDisruptionBudget', 'orders').spec ?? {};
    expect(replicas).toBeGreaterThan(Number(maxUnavailable));
  });

  it('set variables that the program reads, and no password in the open', () => {
    const set = node.container.env ?? [];
    expect(variables).toEqual(expect.arrayContaining(set.map(({ name }) => name)));
    const secret = { secretKeyRef: { name: 'redis', key: 'password' } };
    expect(set.find(({ name }) => name === 'REDIS_PASSWORD')?.valueFrom).toEqual(secret);
    expect(store.container.env?.map(({ valueFrom }) => valueFrom)).toEqual([secret]);
  });

  it.each([
    ['server', node],
    ['redis', store],
  ])('run %s without rights that it does not need', (_, { spec, container }) => {
    expect(spec?.securityContext?.runAsNonRoot).toBe(true);
    expect(spec?.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources?.limits?.memory).toBeDefined();
    expect(container.image).toMatch(/:\d+\.\d+/);
  });

  it('keep all keys of Redis until they expire, and leave memory for its copies', () => {
    const { args = [], resources } = store.container;
    expect(args.join(' ')).toContain('--appendonly yes');
    expect(args.join(' ')).toContain('--maxmemory-policy noeviction');
    const most = Number.parseInt(args[args.indexOf('--maxmemory') + 1] ?? '', 10);
    expect(resources?.limits?.memory).toBe('1Gi');
    expect(most).toBeLessThan(1_024);
  });
});

interface Composed {
  readonly services: Readonly<Record<string, ComposedService>>;
  readonly volumes: object;
}
interface ComposedService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly image?: string;
  readonly command?: readonly string[];
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

describe('compose.yaml', () => {
  const { services, volumes } = parse(textOf('deploy/compose.yaml')) as Composed;
  const { proxy, redis: shared, ...nodes } = services;
  const caddy = textOf('deploy/Caddyfile').replace(/#.*/g, '');

  it('starts two nodes, Redis and a proxy', () => {
    expect(Object.keys(nodes)).toEqual(['node-1', 'node-2']);
    for (const service of Object.values(services))
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(services[name]?.healthcheck).toBeDefined();
        expect(condition).toBe('service_healthy');
      }
    for (const service of [proxy, shared]) expect(service?.image).toMatch(/:\d+\.\d+/);
  });

  it('publishes only the proxy, on this machine', () => {
    expect(proxy?.ports).toEqual(['127.0.0.1:8080:8080']);
    for (const service of [shared, ...Object.values(nodes)]) expect(service?.ports).toBeUndefined();
  });

  it.each(Object.entries(nodes))(
    'sets variables of %s that the program reads, and lets it drain',
    (_, one) => {
      expect(variables).toEqual(expect.arrayContaining(Object.keys(one.environment ?? {})));
      const grace = Number(/^(\d+)s$/.exec(one.stop_grace_period ?? '')?.[1]);
      const { DRAIN_MS, DRAIN_DELAY_MS } = one.environment ?? {};
      expect(grace * 1_000).toBeGreaterThan(Number(DRAIN_DELAY_MS) + 2 * Number(DRAIN_MS));
      expect(one.healthcheck?.test.join(' ')).toContain(':3000/readyz');
      expect(one.build).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile' });
    },
  );

  it('mounts files and volumes that exist', () => {
    for (const mount of Object.values(services).flatMap((service) => service.volumes ?? [])) {
      const [from = ''] = mount.split(':');
      const isThere = from.startsWith('./')
        ? existsSync(new URL(`../../deploy/${from}`, import.meta.url))
        : from in volumes;
      expect([mount, isThere]).toEqual([mount, true]);
    }
    expect(shared?.command?.join(' ')).toContain('--maxmemory-policy noeviction');
  });

  it('has a proxy that sends to the nodes that are ready, and streams', () => {
    const upstreams = Object.keys(nodes).map((name) => `${name}:3000`);
    expect(caddy).toContain(`reverse_proxy ${upstreams.join(' ')} {`);
    expect(caddy).toContain('health_uri /readyz');
    expect(caddy).toContain('lb_policy round_robin');
    expect(caddy).not.toContain('flush_interval');
  });
});

describe('Dockerfile', () => {
  const lines = textOf('deploy/Dockerfile').split('\n');

  it('copies files that exist, and starts node itself without root', () => {
    const copied = lines.flatMap((line) => /^COPY (\S+)/.exec(line)?.[1] ?? []);
    for (const path of copied) expect(textOf(path)).not.toBe('');
    expect(copied).toContain('src/deploy/node.ts');
    expect(lines).toContain('USER node');
    expect(lines).toContain('CMD ["node", "node.ts"]');
  });

  it('installs the packages that the program imports', () => {
    const { dependencies } = JSON.parse(textOf('deploy/package.json')) as { dependencies: object };
    const imported = [...program.matchAll(/from '((?:@[^/']+\/)?[^/':]+)(?:\/[^']*)?'/g)].map(
      ([, name]) => name,
    );
    expect(Object.keys(dependencies).sort()).toEqual([...new Set(imported)].sort());
  });
});
