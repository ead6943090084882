import type { OpenPart, SpendBound } from '../../billing/contract/charge/room-to-spend.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { text } from '../../billing/money/decimal.ts';
import { justAbove } from '../../billing/money/round.ts';
import { baseOf, levelsOf, type Watch, watchOfAlert, watchOfLimit } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { billingPeriodUnits } from '../../db/sql/usage/billing-period-units.ts';
import { nameOfReached } from '../../db/sql/usage/note-reached.ts';
import { reachedSteps } from '../../db/sql/usage/reached-steps.ts';
import { periodPlace } from './spent.ts';
import type { Watching } from './watched-value.ts';

type Part = Omit<OpenPart, 'bounds'>;

/**
 * Adds to open periods the amounts that their usage must not reach unnoticed: just above each limit of money, and the
 * next level of each alert that isn't announced there yet.
 *
 * @param watching of this customer alone
 */
export async function withBounds(tx: Tx, parts: readonly Part[], watching: Watching): Promise<OpenPart[]> {
  const watches = [
    ...watching.alerts.filter(({ on }) => on === 'spend').map(watchOfAlert),
    ...watching.limits.filter(({ action, amount }) => action === 'tell' && amount !== null).map(watchOfLimit),
  ];
  const keys = parts.map(({ period: { contractId, idx } }) => ({ contractId, idx, slug: '' }));
  const places = watches.length === 0 ? [] : (await billingPeriodUnits(tx, keys)).map(({ first }) => periodPlace(first));
  const known = await reachedSteps(
    tx,
    watches.map(({ id }) => id),
    places,
  );
  const named = parts.map((part, at) => ({ part, place: places[at] ?? '' }));
  const isKnownInAll = knownInAll(named, known);
  return named.map(({ part, place }) => {
    const { currency } = part.contract.terms;
    const tells = watches.flatMap((watch) =>
      nextOf(watch, part, watching, (step) => {
        const isOfAll = watch.slug === null && runs(part);
        return isOfAll ? isKnownInAll(watch.id, step, currency) : known.has(nameOfReached({ watchId: watch.id, step, place }));
      }),
    );
    return { ...part, bounds: [...limitsOf(part, watching), ...tells] };
  });
}

/** A step on all contracts together is noted in the running periods of all of them. */
const runs = ({ contract, isRunning }: Part): boolean => isRunning && contract.currentIdx !== null;

/** Whether a step is noted in all running periods of a currency; found out once for all of them. */
function knownInAll(named: readonly { part: Part; place: string }[], known: ReadonlySet<string>) {
  const running = Map.groupBy(
    named.filter(({ part }) => runs(part)),
    ({ part }) => part.contract.terms.currency,
  );
  const found = new Map<string, boolean>();
  return (watchId: string, step: string, currency: Currency): boolean => {
    const key = `${watchId} ${currency} ${step}`;
    const isKnown =
      found.get(key) ?? (running.get(currency) ?? []).every(({ place }) => known.has(nameOfReached({ watchId, step, place })));
    found.set(key, isKnown);
    return isKnown;
  };
}

function limitsOf({ contract }: Part, { limits }: Watching): SpendBound[] {
  return limits.flatMap(({ action, slug, amount }) =>
    action === 'refuse' && amount !== null ? [{ slug, below: text(justAbove(amount, contract.terms.currency)) }] : [],
  );
}

function nextOf(watch: Watch, { contract }: Part, { limits }: Watching, isKnown: (step: string) => boolean): SpendBound[] {
  const next = levelsOf(watch, baseOf(watch, limits, null)).find(({ step }) => !isKnown(step));
  if (next === undefined) return [];
  const below = watch.source === 'alert' ? next.level : text(justAbove(next.level, contract.terms.currency));
  return [{ slug: watch.slug, below }];
}
