import type { Instant } from '../../billing/calendar/instant.ts';
import { expiresAt } from '../../billing/credit/expiry.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { awaitedGrants } from '../../db/sql/credit/awaited.ts';
import { lockExpiringGrants } from '../../db/sql/credit/lock-expiring.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { usageTimes } from '../../db/sql/credit/usage-times.ts';
import { lockWallets } from '../../db/sql/wallet/lock-wallets.ts';
import { together } from '../../db/together.ts';
import type { MoneyOwner } from '../../db/wallet/lock-money.ts';
import { hasYetToPay } from '../wallet/free.ts';
import { settleWallets } from '../wallet/settle.ts';
import { dropExpiries } from './agenda.ts';
import { moveGrants } from './move.ts';
import { planLoneRollovers } from './plan-given.ts';
import { rolledOver, unused } from './rollover.ts';
import { type GrantRow, writeGrants } from './write.ts';

interface Expiring {
  /** when something came back to a grant, or a gate let go of it */
  notBefore?: Instant;
  /** ids of the only grants that may expire; absent: all */
  only?: readonly string[];
}

/** What of a grant has expired, without what rolled over into another grant. */
export interface Expired {
  grantId: string;
  amount: string;
}

/**
 * Expires what is left of grants whose life has ended by `now`, each at the instant from which on nothing that it would
 * pay can come. Four kinds are left to a later transaction. A grant that waits for the closing of usage expires with
 * the closing. A grant that may pay lines or an invoice that wait for a caller expires with the validation. A grant of
 * which a payment gate holds a part expires with the end of the gate. A grant that has yet to be offered open invoices
 * expires with the step that offers the last ones.
 *
 * @param owners none of them frozen; invoices of the same transaction are paid already
 * @returns what has expired, grant by grant
 */
export async function expireGrants(tx: Tx, owners: readonly MoneyOwner[], now: Instant, which: Expiring = {}): Promise<Expired[]> {
  const { expired, rolled } = await expireThose(tx, owners, now, which);
  if (rolled.length > 0) await goOn(tx, rolled, now);
  return expired;
}

/**
 * The same while invoices of the same transaction are being paid: what rolls over may pay the rest of them.
 *
 * @returns the grants of rollovers, which are locked and have paid nothing yet
 */
export async function expireInto(tx: Tx, owners: readonly MoneyOwner[], now: Instant): Promise<OpenGrant[]> {
  const { rolled } = await expireThose(tx, owners, now, {});
  if (rolled.length > 0) await writeRollovers(tx, rolled);
  return rolled.map(unused);
}

/** @returns also the grants of rollovers, which aren't written yet */
async function expireThose(
  tx: Tx,
  owners: readonly MoneyOwner[],
  now: Instant,
  { notBefore = 0, only }: Expiring,
): Promise<{ expired: Expired[]; rolled: GrantRow[] }> {
  if (owners.length === 0) return NOTHING;
  // a rollover may move the wallet, which is locked before any grant
  const [wallets, locked] = await together(tx, [() => lockWallets(tx, owners), () => lockExpiringGrants(tx, owners, now, only)]);
  const paying = wallets.filter(hasYetToPay);
  const pays = (grant: OpenGrant) =>
    paying.some(({ customerId, currency }) => grant.customerId === customerId && grant.currency === currency);
  const grants = locked.filter((grant) => dec(grant.held).isZero() && !pays(grant));
  if (grants.length === 0) return NOTHING;
  await tx.em.flush();
  const ids = grants.map(({ id }) => id);
  const [found, awaited] = await together(tx, [() => usageTimes(tx, ids), () => awaitedGrants(tx, ids)]);
  const times = Map.groupBy(found, ({ grantId }) => grantId);
  const over = grants.flatMap((grant) => {
    const at = awaited.has(grant.id) ? null : expiresAt(grant, times.get(grant.id) ?? [], now);
    return at === null ? [] : [{ grant, at: Math.max(at, notBefore) }];
  });
  const rolled = over.flatMap(({ grant, at }) => rolledOver(grant, at));
  const goesOn = new Map(rolled.map(({ rolledFrom, amount }) => [rolledFrom, amount]));
  // before the grants are emptied
  const expired = over.map(({ grant }) => ({
    grantId: grant.id,
    amount: dec(grant.balance)
      .minus(goesOn.get(grant.id) ?? '0')
      .toFixed(),
  }));
  await moveGrants(
    tx,
    over.map(({ grant, at }) => ({
      id: newId('Txn'),
      grant,
      kind: 'expired',
      amount: dec(grant.balance).neg().toFixed(),
      at,
      occasion: 'expired',
    })),
  );
  // the closing of the last usage finds them by what has expired, not by a row
  await dropExpiries(tx, { subject: { $in: ids } });
  return { expired, rolled };
}

const NOTHING = { expired: [], rolled: [] };

async function writeRollovers(tx: Tx, rows: readonly GrantRow[]): Promise<void> {
  await writeGrants(tx, rows);
  await planLoneRollovers(
    tx,
    rows.map(({ id }) => id),
  );
}

/**
 * Writes the grants of rollovers and lets them pay what is open in their life. If that life has ended too, they expire
 * by the same rule.
 */
async function goOn(tx: Tx, rows: readonly GrantRow[], now: Instant): Promise<void> {
  await writeRollovers(tx, rows);
  const owners = new Map(rows.map((row) => [`${row.customerId} ${row.currency}`, row]));
  await settleWallets(
    tx,
    [...owners.values()].map(({ vendorId, customerId, currency }) => ({
      ...{ vendorId, customerId, currency, at: now, credits: [], newInvoices: [], pays: true },
    })),
  );
  const over = rows.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now);
  await expireGrants(tx, over, now);
}
