import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../config/config.ts';
import { API_OPTION, SMALL } from '../../config/launch.ts';
import type { Database } from '../../db/connect.ts';
import { createMetrics } from '../../metrics/process.ts';
import { serveMetrics } from '../../metrics/serve.ts';
import { read } from './sources.ts';

interface Service {
  image: string;
  command?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  restart?: string;
  healthcheck?: { test: string[] };
  volumes?: string[];
}

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  name: string;
  image: string;
  command: string[];
  env?: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  resources: { requests: object; limits: object };
  securityContext: object;
  volumeMounts: { mountPath: string }[];
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector?: { matchLabels: object };
    template: { metadata: { labels: object }; spec: { containers: Container[]; securityContext: object } };
  };
}

const services = (parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> }).services;
const OURS = ['api', 'worker', 'migrate'];
const manifests = OURS.flatMap((name) =>
  parseAllDocuments(read(`deploy/kustomize/${name}.yaml`)).map((document) => document.toJS() as Manifest),
);
const podsOf = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(({ spec }) => spec.template.spec);
const containers = podsOf.flatMap((pod) => pod.containers);
const settings = Object.fromEntries(
  read('deploy/kustomize/settings.env')
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(/=(.*)/s, 2) as [string, string]),
);
const documented = new Set(
  read('config/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name)),
);

/** Left at its default there, or read by `npm start`, the CLI and the examples. */
const NOT_OF_COMPOSE = [
  'TEMPORAL_TASK_QUEUE',
  'METRICS_HOST',
  'PERENNIAL_HOME',
  'PERENNIAL_CACHE',
  'PERENNIAL_URL',
  'PERENNIAL_API_KEY',
  'GOPROXY',
];

const OF_THE_API = /^(HOST|PORT|OIDC_.+)$/;

/** `${NAME:-default}` and `${NAME:?what to do}`, as Compose reads them without an environment. */
const filledIn = (text: string): string =>
  text.replace(/\$\{\w+:([-?])([^}]*)\}/g, (_, kind: string, rest: string) => (kind === '-' ? rest : 'a'.repeat(32)));

describe('docker-compose.yml', () => {
  it('names only variables that config/README.md explains', () => {
    const named = OURS.flatMap((name) => Object.keys(services[name]?.environment ?? {}));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('passes on every setting that config/README.md explains to operators', () => {
    const missingIn = (name: string): string[] => {
      const passed = new Set(Object.keys(services[name]?.environment ?? {}));
      return [...documented].filter((setting) => !passed.has(setting)).toSorted();
    };
    expect(missingIn('api')).toEqual(NOT_OF_COMPOSE.toSorted());
    expect(missingIn('worker').filter((setting) => !OF_THE_API.test(setting))).toEqual(NOT_OF_COMPOSE.toSorted());
  });

  it('gives API, worker and migrations a complete configuration', () => {
    for (const name of OURS) {
      const variables = Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, filledIn(value)]);
      expect(loadConfig({ ...Object.fromEntries(variables), BASE_URL: 'https://billing.example.com' }).mode).toBe('production');
    }
  });

  it('lets an operator choose the namespace, since a restored database needs an empty one, and makes the one that is chosen', () => {
    for (const name of ['temporal-namespace', ...OURS])
      expect(services[name]?.environment?.TEMPORAL_NAMESPACE).toMatch(/^\$\{TEMPORAL_NAMESPACE:-default\}$/);
  });

  it('runs nothing as root, with privileges or on a file system that can be written to', () => {
    const open = Object.entries(services).filter(
      ([, { user, read_only, cap_drop }]) => user === undefined || user === 'root' || read_only !== true || cap_drop?.[0] !== 'ALL',
    );
    expect(open.map(([name]) => name)).toEqual([]);
  });

  it('pins every image, and both images of Temporal to one version', () => {
    const images = [...new Set(Object.values(services).map(({ image }) => image))];
    expect(images.filter((image) => !/:\d+\.\d+(\.\d+)?$/.test(image))).toEqual([]);
    const versionOf = (name: string) => services[name]?.image.split(':')[1];
    expect(versionOf('temporal-schema')).toBe(versionOf('temporal'));
  });

  it('has a health check for all that stays, and waits for the end of all that does not', () => {
    const ends = Object.entries(services).flatMap(([name, { restart }]) => (restart === 'unless-stopped' ? [] : [name]));
    expect(ends).toEqual(['temporal-schema', 'temporal-namespace', 'migrate']);
    const unchecked = Object.entries(services).filter(([name, { healthcheck }]) => !ends.includes(name) && healthcheck === undefined);
    expect(unchecked.map(([name]) => name)).toEqual([]);
    for (const { depends_on = {} } of Object.values(services))
      for (const [name, { condition }] of Object.entries(depends_on))
        expect({ name, condition }).toEqual({
          name,
          condition: ends.includes(name) ? 'service_completed_successfully' : 'service_healthy',
        });
  });

  it('mounts only files that there are', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes.filter((volume) => volume.startsWith('./')));
    expect(mounted.length).toBeGreaterThan(1);
    for (const volume of mounted) {
      const [from = '', to = ''] = volume.split(':');
      for (const { command = [], volumes = [] } of Object.values(services))
        if (volumes.includes(volume))
          for (const word of command.filter((text) => text.startsWith(`${to}/`)))
            expect(read(join(from, word.slice(to.length)))).toMatch(/^#!\/bin\/sh/);
    }
  });
});

describe('the image', () => {
  it('keeps its programs as small as `npm start` does', () => {
    const said = [...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => [...line.matchAll(/(\w+)=("[^"]*"|\S+)/g)]);
    expect(Object.fromEntries(said.map(([, name, value = '']) => [name, value.replaceAll('"', '')]))).toMatchObject(SMALL);
    const [, command = ''] = /^CMD (.+)$/m.exec(read('Dockerfile')) ?? [];
    expect({ image: JSON.parse(command), compose: services.api?.command }).toEqual({
      image: ['node', API_OPTION, 'bin/perennial.mjs', 'api'],
      compose: ['node', API_OPTION, 'bin/perennial.mjs', 'api'],
    });
  });
});

describe('deploy/kustomize', () => {
  it('runs the image and the commands of docker-compose.yml', () => {
    expect(containers.map(({ name, command }) => ({ name, command }))).toEqual(
      OURS.map((name) => ({ name, command: services[name]?.command })),
    );
    const kustomization = parse(read('deploy/kustomize/kustomization.yaml')) as { images: { name: string; newTag: string }[] };
    const images = kustomization.images.map(({ name, newTag }) => `${name}:${newTag}`);
    expect(images).toEqual([services.api?.image]);
    expect(containers.map(({ image }) => `${image}:${kustomization.images[0]?.newTag}`)).toEqual(OURS.map((name) => services[name]?.image));
  });

  it('names only variables that config/README.md explains, and with the secret they are a complete configuration', () => {
    const named = [...Object.keys(settings), ...containers.flatMap(({ env = [] }) => env.map(({ name }) => name))];
    expect(named.filter((name) => !documented.has(name))).toEqual([]);
    const secret = { DATABASE_URL: 'postgres://perennial:password@postgres:5432/perennial', PERENNIAL_SECRET: 'a'.repeat(64) };
    expect(loadConfig({ ...settings, ...secret })).toMatchObject({ mode: 'production', metricsPort: 9464 });
  });

  it('selects the pods it makes', () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments).toHaveLength(2);
    for (const { spec } of deployments) expect(spec.template.metadata.labels).toEqual(spec.selector?.matchLabels);
  });

  it('runs nothing as root, with privileges or on a file system that can be written to', () => {
    for (const { securityContext } of podsOf) expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    for (const { securityContext, volumeMounts, resources } of containers) {
      expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/tmp']);
      expect(Object.keys(resources)).toEqual(['requests', 'limits']);
    }
  });

  it('probes addresses that the API serves, on the port it listens on', () => {
    const api = containers.find(({ name }) => name === 'api');
    expect(Number(api?.env?.find(({ name }) => name === 'PORT')?.value)).toBe(
      api?.ports?.find(({ name }) => name === 'http')?.containerPort,
    );
    const probes = [api?.startupProbe, api?.readinessProbe, api?.livenessProbe].map((probe) => probe?.httpGet);
    expect(probes.map((probe) => probe?.port)).toEqual(['http', 'http', 'http']);
    const pages = read('api/http/pages.ts');
    expect(probes.filter((probe) => !pages.includes(`.get('${probe?.path}', `))).toEqual([]);
  });

  it('probes a worker that is alive and not ready while Postgres is away', async () => {
    const worker = containers.find(({ name }) => name === 'worker');
    expect(String(worker?.ports?.[0]?.containerPort)).toBe(settings.METRICS_PORT);
    const pool = { totalCount: 0, idleCount: 0, waitingCount: 0, options: { max: 10 } };
    const away = { pool, query: () => Promise.reject(new Error('Postgres is away')) };
    const server = serveMetrics(createMetrics(away as unknown as Database), 0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const statusOf = async (probe: Probe | undefined) => (await fetch(`http://127.0.0.1:${port}${probe?.httpGet.path}`)).status;
      expect(await statusOf(worker?.startupProbe)).toBe(200);
      expect(await statusOf(worker?.livenessProbe)).toBe(200);
      expect(await statusOf(worker?.readinessProbe)).toBe(503);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
