import { parse } from 'yaml';
import { read } from '../house/sources.ts';
import { eventually } from '../support/eventually.ts';
import { metricsAt } from '../support/metrics.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('deploy/grafana/perennial.json')) as { panels: Panel[] };
const shown = panels.flatMap(({ targets }) => (targets ?? []).map(({ expr }) => expr));

/** What PromQL has of its own. */
const WORDS = new Set('sum max min by and or absent rate increase histogram_quantile topk'.split(' '));

/** The series that an expression names; it must hold nothing else than numbers, durations and words of PromQL. */
function seriesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/g, '')
    .replaceAll(/\[\d+[smhd]\]/g, '')
    .replaceAll(/\bby \([\w, ]+\)/g, '');
  const strange = bare.replaceAll(/[\w:.]+|[\s()<>=,*/]/g, '');
  if (strange !== '') throw new Error(`${strange} in ${expr}`);
  return (bare.match(/[a-zA-Z_:][\w:]*/g) ?? []).filter((word) => !WORDS.has(word));
}

/** Names of all series that both processes serve, with those of histograms. */
async function served(): Promise<Set<string>> {
  const { apiMetricsPort, workerMetricsPort } = await servers();
  const text = (await Promise.all([metricsAt(apiMetricsPort), metricsAt(workerMetricsPort)])).join('\n');
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const ends = { histogram: ['_bucket', '_sum', '_count'] } as Record<string, string[]>;
  return new Set(types.flatMap(([, name = '', type = '']) => (ends[type] ?? ['']).map((end) => name + end)));
}

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it.each([
  ['a series that nobody serves', 'max(perennial_nothing)', ['perennial_nothing']],
  ['series behind labels, spans and words', 'sum by (le) (rate(a_bucket{b="c}",d!="e"}[5m])) > 0.5 and max(f) > 1', ['a_bucket', 'f']],
])('%s is found', (_what, expr, found) => {
  expect(seriesIn(expr)).toEqual(found);
});

describe('alerts and dashboard', () => {
  it('name only series that the API and the worker serve', async () => {
    // the SDK shows what it measures of a task once there was one
    const contract = await kit.sign(await kit.customer(), await kit.plan('10.00'));
    await kit.cancel(contract);
    const named = [...rules.map(({ expr }) => expr), ...shown].flatMap(seriesIn);
    await eventually(async () => {
      const known = await served();
      expect(named.filter((name) => !known.has(name))).toEqual([]);
    });
  });

  it('show every series of our own somewhere', async () => {
    const named = new Set([...rules.map(({ expr }) => expr), ...shown].flatMap(seriesIn));
    const own = [...(await served())].filter((name) => name.startsWith('perennial_') && !/_(sum|count)$/.test(name));
    expect(own.filter((name) => !named.has(name))).toEqual([]);
  });

  it('take the maximum of what every process shows of the installation, never the sum', () => {
    const figures = /sum[^(]*\([^()]*perennial_(agenda|outbox|contracts|webhook_(lag|endpoints)|emails_(waiting|lag)|database_up)/;
    expect([...rules.map(({ expr }) => expr), ...shown].filter((expr) => figures.test(expr))).toEqual([]);
  });
});

describe('each alert', () => {
  const page = read('docs/operating.md');

  it('says what is wrong and how urgent it is, and has its place in the runbook', () => {
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary.length).toBeGreaterThan(10);
      expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`);
      expect(page).toMatch(new RegExp(`^### ${alert}\\n\\n[A-Z\`]`, 'm'));
    }
  });

  it('is in the runbook alone where it is a rule', () => {
    const described = [...page.matchAll(/^### (Perennial\w+)$/gm)].map(([, name]) => name);
    expect(described.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

it('docs/operating.md names every series of our own, and no other', async () => {
  const named = new Set(read('docs/operating.md').match(/\bperennial_\w+/g));
  const own = new Set(
    [...(await served())].filter((name) => name.startsWith('perennial_')).map((name) => name.replace(/_(bucket|sum|count)$/, '')),
  );
  expect([...named].filter((name) => !own.has(name))).toEqual([]);
  expect([...own].filter((name) => !named.has(name))).toEqual([]);
});
