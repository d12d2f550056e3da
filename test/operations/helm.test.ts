import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cloneDatabase } from '@firmdesk/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { startGateway, stop, temporaryFolder } from '../started-gateway.ts';
import { canRunHelm, type Helm, type Manifest, unpackHelm } from './helm.ts';
import { isInstalled } from './is-installed.ts';

const name = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const only = (manifests: readonly Manifest[], wanted: string) =>
  manifests.find((manifest) => name(manifest) === wanted)!;

describe.skipIf(!(canRunHelm && isInstalled('unzip')))('the chart', () => {
  let helm: Helm;
  beforeAll(async () => {
    helm = await unpackHelm();
  });
  afterAll(() => helm?.[Symbol.asyncDispose]());

  test('passes the linter of Helm', () => {
    expect(helm.lint()).toContain('0 chart(s) failed');
  });

  const all = [
    'Deployment desk-gateway',
    'Deployment desk-worker',
    'Ingress desk',
    'NetworkPolicy desk',
    'PodDisruptionBudget desk-gateway',
    'Service desk',
  ];
  test.each([
    { values: 'its own values', given: {}, expected: all },
    {
      values: 'an ingress class, annotations and a port in the public address',
      given: {
        publicUrl: 'https://desk.firm.example:8443',
        ingress: {
          className: 'nginx',
          annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '48m' },
        },
      },
      expected: all,
    },
    {
      values: 'no ingress, one gateway, no limits, and variables that are numbers and JSON',
      given: {
        ingress: { enabled: false },
        gateway: { replicas: 1, resources: null },
        drainSeconds: 20,
        image: { repository: 'registry.example/desk', tag: 1.5, pullPolicy: 'Always' },
        env: {
          DATABASE_POOL_MAX: 10,
          ASSISTANT_API_KEY_FILE: '/run/secrets/firmdesk/assistant-key',
          CORS_ORIGINS: '"a": b',
        },
      },
      expected: all.filter((each) => each !== 'Ingress desk'),
    },
  ])('renders valid objects of Kubernetes with $values', async ({ given, expected }) => {
    const manifests = await helm.render(given);
    expect(manifests.map(name).toSorted()).toEqual(expected);
    expect(await helm.check(manifests)).toBe('');
  });

  test('is checked by types that reject unknown fields and wrong types', async () => {
    const budget = only(await helm.render(), 'PodDisruptionBudget desk-gateway');
    const withSpec = (fields: object) => ({ ...budget, spec: { ...budget['spec'], ...fields } });
    const messages = await helm.check([withSpec({ minReplicas: 1 }), withSpec({ selector: 'app' })]);
    expect(messages).toMatch(/minReplicas\W+does not exist in type 'PodDisruptionBudgetSpec'/);
    expect(messages).toContain("Type 'string' has no properties in common with type 'LabelSelector'");
  });

  test('passes its values on, and selects the pods that it makes', async () => {
    const manifests = await helm.render({
      publicUrl: 'https://desk.firm.example:8443',
      drainSeconds: 20,
      image: { repository: 'registry.example/desk', tag: 1.5 },
      env: { DATABASE_POOL_MAX: 10, CORS_ORIGINS: '"a": b' },
      gateway: { replicas: 3 },
    });
    const ingress = only(manifests, 'Ingress desk');
    expect(ingress['spec'].rules[0].host).toBe('desk.firm.example');
    expect(ingress['spec'].tls[0].hosts).toEqual(['desk.firm.example']);
    const gateway = only(manifests, 'Deployment desk-gateway')['spec'];
    expect(gateway.replicas).toBe(3);
    const pod = gateway.template;
    const [container] = pod.spec.containers;
    expect(container.image).toBe('registry.example/desk:1.5');
    expect(container.env).toEqual(
      expect.arrayContaining([
        { name: 'PUBLIC_URL', value: 'https://desk.firm.example:8443' },
        { name: 'DATABASE_POOL_MAX', value: '10' },
        { name: 'CORS_ORIGINS', value: '"a": b' },
      ]),
    );
    // A whole drain takes at most 22.5 s.
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(22.5);
    const service = only(manifests, 'Service desk')['spec'];
    expect(pod.metadata.labels).toMatchObject(service.selector);
    expect(pod.metadata.labels).toMatchObject(gateway.selector.matchLabels);
    expect(pod.metadata.labels).toMatchObject(
      only(manifests, 'PodDisruptionBudget desk-gateway')['spec'].selector.matchLabels,
    );
    expect(container.ports.map((port: { name: string }) => port.name)).toContain(service.ports[0].targetPort);
    expect(ingress['spec'].rules[0].http.paths[0].backend.service).toEqual({
      name: 'desk',
      port: { name: service.ports[0].name },
    });
  });

  test('lets nobody reach the metrics port who is not named', async () => {
    const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }];
    const controller = [{ podSelector: { matchLabels: { app: 'controller' } } }];
    const rulesOf = async (given: object) => {
      const manifests = await helm.render(given);
      expect(await helm.check(manifests)).toBe('');
      const { podSelector, policyTypes, ingress } = only(manifests, 'NetworkPolicy desk')['spec'];
      expect(policyTypes).toEqual(['Ingress']);
      for (const role of ['gateway', 'worker']) {
        const { template } = only(manifests, `Deployment desk-${role}`)['spec'];
        expect(template.metadata.labels).toMatchObject(podSelector.matchLabels);
        const ports = template.spec.containers[0].ports.map((port: { name: string }) => port.name);
        expect(ports).toEqual(['http', 'metrics']);
      }
      return ingress;
    };
    expect(await rulesOf({})).toEqual([{ ports: [{ port: 'http' }] }]);
    expect(await rulesOf({ metrics: { from }, ingress: { from: controller } })).toEqual([
      { ports: [{ port: 'http' }], from: controller },
      { ports: [{ port: 'metrics' }], from },
    ]);
  });

  test('believes no proxy that is not named, and checks the certificate of the database', async () => {
    const envOf = async (given: object) => {
      const { template } = only(await helm.render(given), 'Deployment desk-gateway')['spec'];
      const [{ env }] = template.spec.containers;
      return Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value]));
    };
    const env = await envOf({});
    expect(env).not.toHaveProperty('TRUSTED_PROXIES');
    expect(new URL(env['DATABASE_URL']!).searchParams.get('sslmode')).toBe('verify-full');
    expect(await envOf({ trustedProxies: 1 })).toHaveProperty('TRUSTED_PROXIES', '1');
  });

  test.each(['gateway', 'worker'])('starts a %s that passes its probes', async (role) => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    await using folder = await temporaryFolder();
    const address = new URL(database.url);
    const password = join(folder.path, 'password');
    await writeFile(password, decodeURIComponent(address.password));
    await chmod(password, 0o644);
    address.password = '';
    const manifests = await helm.render({ database: { url: address.href }, trustedProxies: '127.0.0.1' });
    const [container] = only(manifests, `Deployment desk-${role}`)['spec'].template.spec.containers;
    const env: Record<string, string> = Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect(env['DATABASE_PASSWORD_FILE']).toBe(`${container.volumeMounts[0].mountPath}/database-password`);
    const metricsPort = await freePort();
    const node = startGateway(
      {
        ...env,
        DATABASE_PASSWORD_FILE: password,
        METRICS_PORT: `${metricsPort}`,
        DRAIN_SECONDS: '0',
        DEMO: '0',
      },
      container.args,
    );
    await node.listening;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet;
      expect(container.ports).toContainEqual({ name: port, containerPort: Number(env['METRICS_PORT']) });
      // A worker is ready some time after it listens.
      const status = async () => (await fetch(`http://127.0.0.1:${metricsPort}${path}`)).status;
      await expect.poll(status).toBe(200);
    }
    expect(await stop(node)).toBe(0);
  });
});
