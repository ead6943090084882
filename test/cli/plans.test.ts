import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { vendorCli } from '../support/vendor-cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perennial-plans-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name = 'catalogue.yaml'): string => join(folder, name);
const write = (text: string, name?: string): void => writeFileSync(path(name), text);
const read = (name?: string): string => readFileSync(path(name), 'utf8');
const plans = (vendor: TestVendor, verb: string, ...args: string[]) => vendorCli(vendor, 'plans', verb, path(), ...args);

/** Each strategy and each default of the server, as a person writes them: numbers without quotes, no defaults. */
const CATALOGUE = `
plans:
  team:
    internal_name: Team 2027
    strategy: plan
    free_trial_days: 14
    metadata: { tier: "2", id: kept }
    change_rules: { upgrade: { proration: full } }
    pause_rules: { resume_after_days: null, usage: hold }
    features:
      - { slug: seats, name: Seats }
      - { slug: status, name: Status page, charge_trigger: month }
      - { slug: calls, name: Calls }
      - { slug: storage, name: Storage }
      - { slug: traffic, name: Traffic }
      - { slug: support, name: Support, value: within a day }
      - { slug: audit, name: Audit log, value: false }
    pricings:
      - currency: USD
        cycle: year
        price: { amount: 290, strategy_details: { pricing_strategy: flat } }
      - currency: usd
        cycle: month
        free_cycles: 1
        price: { amount: 29.10, strategy_details: { pricing_strategy: flat }, tax_code: saas }
        features:
          seats: { amount: 5.50, strategy_details: { pricing_strategy: per_unit, unit_name: seat, minimum_units: 3 } }
          status: { amount: "1", strategy_details: { pricing_strategy: flat } }
          calls: { amount: 0.0006, strategy_details: { pricing_strategy: usage, unit_name: call, maximum_units: 50000, over_usage_price: 0.004, batch_size: 1000 } }
          storage:
            amount: 0
            strategy_details: { pricing_strategy: unit_tiered, tier_mode: graduated, tiers: [{ up_to: 10, unit_price: 2 }, { unit_price: 1, flat_fee: 3 }] }
          traffic:
            amount: 0
            strategy_details: { pricing_strategy: usage_tiered, tier_mode: volume, unit_name: GB, tiers: [{ unit_price: 0.01 }] }
  basic:
    internal_name: Basic
    strategy: plan
    pricings:
      - { currency: eur, cycle: month, price: { amount: 10, strategy_details: { pricing_strategy: flat } } }
discounts:
  launch: { name: Launch, discount_type: percentage, amount: 10, duration: 3 }
  five: { name: Five off, discount_type: flat, amount: 5, duration: 2, currency: eur }
`;

describe('plans', () => {
  it('are pushed from a file as a person writes it, and pushing twice changes nothing', async () => {
    const vendor = await newVendor('Push');
    write(CATALOGUE);
    const asked = await plans(vendor, 'diff');
    const lines = '+ plan basic is created\n+ plan team is created\n+ discount five is created\n+ discount launch is created\n';
    expect(asked).toEqual({ code: 1, stdout: lines, stderr: '' });
    expect((await vendor.api.read('/v1/c/plan')).total).toBe(0);
    expect(await plans(vendor, 'push')).toEqual({ code: 0, stdout: lines, stderr: '' });
    expect(await plans(vendor, 'push')).toEqual({ code: 0, stdout: 'Nothing to do.\n', stderr: '' });
    expect(await plans(vendor, 'diff')).toEqual({ code: 0, stdout: 'Nothing to do.\n', stderr: '' });
    const { hits } = await vendor.api.read('/v1/c/plan?slug=team');
    expect(hits[0].metadata).toEqual({ tier: '2', id: 'kept' });
    expect(hits[0].pricings.find(({ cycle }: { cycle: string }) => cycle === 'month').features.calls.amount).toBe('0.0006');
    expect((await vendor.api.read(`/v1/c/plan/${hits[0].id}/version`)).total).toBe(1);
  });

  it('are pulled in a stable order into a file that makes the same catalogue elsewhere', async () => {
    const [vendor, other] = [await newVendor('From'), await newVendor('To')];
    write(CATALOGUE);
    await plans(vendor, 'push');
    expect((await plans(vendor, 'pull')).stdout).toBe(`Wrote 2 plans and 2 discounts to ${path()}\n`);
    const pulled = read();
    expect(pulled).toMatch(/^# The catalogue: [\s\S]*\nplans:\n {2}basic:\n {4}internal_name: Basic\n {4}strategy: plan\n {4}pricings:\n/);
    expect((await plans(vendor, 'diff')).stdout).toBe('Nothing to do.\n');
    await plans(other, 'push');
    await plans(other, 'pull');
    expect(read()).toBe(pulled);
  });

  it('say field by field what differs, change as a new version, and archive with --prune alone', async () => {
    const vendor = await newVendor('Change');
    write(CATALOGUE);
    await plans(vendor, 'push');
    const basic = CATALOGUE.slice(CATALOGUE.indexOf('  basic:'), CATALOGUE.indexOf('discounts:'));
    write(
      CATALOGUE.replace(basic, '')
        .replace('amount: 29.10', 'amount: 31')
        .replace('name: Seats', 'name: Places')
        .replace('amount: 10, duration: 3', 'amount: 15, duration: 3'),
    );
    const changed =
      '~ plan team is changed, as a new version\n' +
      '    features[seats].name: Seats → Places\n' +
      '    pricings[usd month].price.amount: 29.1 → 31\n' +
      '~ discount launch is changed\n' +
      '    amount: 10 → 15\n';
    expect(await plans(vendor, 'diff')).toEqual({ code: 1, stdout: changed, stderr: '' });
    expect((await plans(vendor, 'diff', '--prune')).stdout).toBe(`- plan basic is archived\n${changed}`);
    expect(await plans(vendor, 'push')).toEqual({ code: 0, stdout: changed, stderr: '' });
    const { hits } = await vendor.api.read('/v1/c/plan?slug=team');
    expect((await vendor.api.read(`/v1/c/plan/${hits[0].id}/version`)).total).toBe(2);
    const json = await plans(vendor, 'push', '--prune', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ changes: [{ kind: 'plans', slug: 'basic', does: 'archive' }] });
    expect((await plans(vendor, 'push', '--prune')).stdout).toBe('Nothing to do.\n');
    write(CATALOGUE);
    const line = CATALOGUE.split('\n').indexOf('  basic:') + 1;
    expect(await plans(vendor, 'push')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${path()}:${line}: plans.basic: is archived, and nothing opens it again\n`),
    });
  });

  it('are not archived, all or many at once, unless that is said to be meant; an empty file is none', async () => {
    const vendor = await newVendor('Cut off');
    write(CATALOGUE);
    await plans(vendor, 'push');
    const activePlans = async () => (await vendor.api.read('/v1/c/plan?status=active')).total;
    write('');
    for (const [verb, ...flags] of [['diff'], ['push'], ['push', '--prune'], ['push', '--prune', '--yes']] as const)
      expect(await plans(vendor, verb, ...flags)).toEqual({
        code: 1,
        stdout: '',
        stderr: `${path()}:1: give \`plans\` and \`discounts\`, each by slug\n`,
      });
    write('plans:\n');
    const refused = await plans(vendor, 'push', '--prune');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^- plan basic is archived\n- plan team is archived\n- discount five is archived\n- discount launch is archived\nNothing was changed: these 4 /,
    );
    // all plans, though the discounts stay
    write(CATALOGUE.slice(CATALOGUE.indexOf('discounts:')));
    expect(await plans(vendor, 'push', '--prune')).toMatchObject({ code: 1, stdout: '' });
    expect(await activePlans()).toBe(2);
    expect(await plans(vendor, 'push', '--prune', '--yes')).toMatchObject({
      code: 0,
      stdout: '- plan basic is archived\n- plan team is archived\n',
    });
    expect(await activePlans()).toBe(0);
  });

  it('refuse a file that leaves out what has no default, and change nothing', async () => {
    const vendor = await newVendor('Left out');
    write(CATALOGUE);
    await plans(vendor, 'push');
    write(CATALOGUE.replace('    internal_name: Team 2027\n', '').replace('name: Launch, ', '').replace('amount: 29.10', 'amount: 31'));
    const lines = [`${path()}:3: plans.team.internal_name: is needed, and has no default`];
    const discount = CATALOGUE.split('\n').findIndex((line) => line.includes('launch:'));
    lines.push(`${path()}:${discount}: discounts.launch.name: is needed, and has no default`);
    for (const verb of ['diff', 'push'])
      expect(await plans(vendor, verb)).toEqual({ code: 1, stdout: '', stderr: `${lines.join('\n')}\n` });
    const { hits } = await vendor.api.read('/v1/c/plan?slug=team');
    expect((await vendor.api.read(`/v1/c/plan/${hits[0].id}/version`)).total).toBe(1);
  });

  it('name file, line and field of what the server refuses, and change nothing that follows', async () => {
    const vendor = await newVendor('Refused');
    write(CATALOGUE.replace('amount: 0.0006', 'amount: cheap').replace('internal_name: Team 2027', 'internal_nam: Team 2027'));
    const { code, stderr } = await plans(vendor, 'push');
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${path()}:${CATALOGUE.split('\n').findIndex((line) => line.includes('0.0006')) + 1}: plans.team.pricings[1].features.calls.amount: `,
    );
    expect(stderr).toContain(`${path()}:4: plans.team.internal_nam: `);
    expect((await vendor.api.read('/v1/c/plan?slug=team')).total).toBe(0);
  });

  it.each([
    ['plans:\n  pro: {name: [}\n', /^FILE:2: /],
    ['plans:\n  pro:\n    slug: pro\n', /^FILE:3: plans\.pro\.slug: is not given in a file; leave it out\n$/],
    ['plans: {}\nprices: {}\n', /^FILE:2: prices: there are only plans and discounts\n$/],
    ['plans:\n  - pro\n', /^FILE:1: plans: give the plans by slug\n$/],
    ['plans:\n  pro: {}\n  pro: {}\n', /^FILE:3: /],
  ])('refuse a file that is no catalogue: %j', async (text, message) => {
    const vendor = await newVendor('Wrong file');
    write(text);
    const { code, stdout, stderr } = await plans(vendor, 'diff');
    expect([code, stdout, stderr.replace(path(), 'FILE')]).toEqual([1, '', expect.stringMatching(message)]);
  });

  it('name a file that is not there', async () => {
    const { code, stderr } = await plans(await newVendor('No file'), 'push');
    expect([code, stderr]).toEqual([1, `${path()} cannot be read (ENOENT): plans pull writes one\n`]);
  });
});
