import type { Perennial, UpgradeConfiguration } from '../../client/src/index.ts';
import type { Catalogue } from './catalogue.ts';

/** What one customer does on one day of the year. */
export interface DemoEvent {
  on: string;
  says: string;
  act: () => Promise<unknown>;
}

export interface Character {
  name: string;
  customer: string;
  /** The current contract, after all changes. */
  contract: string | null;
  /** The chain of contracts; its id is also the id of the workflow. */
  chain: string | null;
}

const CALLS_PER_MONTH = [8_200, 12_750, 18_400, 26_000, 31_999, 44_100, 50_000, 58_300, 63_050, 71_500, 66_000, 80_000];

/** The year 2027 of a vendor with five customers. */
export function yearOf(api: Perennial, catalogue: Catalogue, [bakery, harbor, cirrus, dance, echo]: readonly Character[]): DemoEvent[] {
  if (!bakery || !harbor || !cirrus || !dance || !echo) throw new Error('the story needs five customers');
  const { starter, team, metered, launch } = catalogue;

  const signs =
    (who: Character, plan: string, terms: { discount_id?: string; unit_count_configuration?: Record<string, string> } = {}) =>
    async () => {
      who.contract = await api.signContract({ customer: who.customer, plan, currency: 'usd', cycle: 'month', ...terms });
      who.chain = who.contract;
    };
  const contract = (who: Character): string => who.contract ?? '';
  const upgrade = (who: Character, upgrade_configuration: UpgradeConfiguration) => () => change(who, upgrade_configuration);
  const change = async (who: Character, upgrade_configuration: UpgradeConfiguration) => {
    who.contract = await api.upgradeContract(contract(who), { upgrade_configuration });
  };
  const reports = (who: Character, units: number) => () =>
    api.reportUsage({ customer_id: who.customer, feature_slug: 'calls', units: String(units) });
  const freeze = (who: Character) => () => api.freezeCustomer(who.customer, { notes: 'summer break' });
  const activate = (who: Character) => () => api.activateCustomer(who.customer, { notes: 'back again' });
  const cancel = (who: Character) => () => api.cancelContract(contract(who), { when: { type: 'end_of_cycle' } });

  return [
    {
      on: '2027-01-01',
      says: 'Blue Harbor signs Team with 5 seats',
      act: signs(harbor, team, { unit_count_configuration: { seats: '5' } }),
    },
    {
      on: '2027-01-01',
      says: 'Cirrus signs Metered: calls by the thousand, 0.0015 each, 0.004 each beyond 50,000',
      act: signs(cirrus, metered),
    },
    { on: '2027-01-10', says: "Ada's Bakery signs Starter and tries it for 14 days", act: signs(bakery, starter) },
    {
      on: '2027-01-31',
      says: 'Delta Dance tries Starter for 14 days, then 10 % off for 3 months',
      act: signs(dance, starter, { discount_id: launch }),
    },
    {
      on: '2027-03-16',
      says: 'Blue Harbor buys 3 more seats',
      act: upgrade(harbor, { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '8' } }),
    },
    { on: '2027-04-20', says: "Ada's Bakery moves to Team", act: upgrade(bakery, { upgrade_strategy: 'new_plan', plan_id: team }) },
    { on: '2027-05-05', says: 'Echo Labs signs Team with 12 seats', act: signs(echo, team, { unit_count_configuration: { seats: '12' } }) },
    { on: '2027-07-10', says: 'Delta Dance is frozen', act: freeze(dance) },
    { on: '2027-08-09', says: 'Delta Dance is back, every date moved by 30 days', act: activate(dance) },
    {
      on: '2027-09-10',
      says: 'Blue Harbor gives 2 seats back, from October on',
      act: upgrade(harbor, { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '6' } }),
    },
    { on: '2027-10-20', says: 'Echo Labs cancels at the end of its cycle', act: cancel(echo) },
    ...CALLS_PER_MONTH.map((calls, month) => ({
      on: `2027-${String(month + 1).padStart(2, '0')}-25`,
      says: `Cirrus reports ${calls.toLocaleString('en')} calls`,
      act: reports(cirrus, calls),
    })),
  ].sort((a, b) => a.on.localeCompare(b.on));
}
