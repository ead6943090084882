import { wakePayment } from '../../db/payment/plan.ts';
import { recordWishes } from '../../db/wish/record.ts';
import type { AgendaHandler } from '../agenda/registry.ts';

/** A row that stands is looked at again and again; its workflow is told this often at most. */
const TELL_AGAIN = 2_000;

/** The workflow of the invoice does what is due; the row stands until the workflow has claimed it. */
export const collect: AgendaHandler = async ({ db, deliver }, { id, subject, detail }) => {
  const told = typeof detail.told === 'number' ? detail.told : 0;
  if (Date.now() - told < TELL_AGAIN) return;
  const wishes = await db.transaction(async (tx) => {
    await tx.query(`update agenda set detail = detail || jsonb_build_object('told', $2::bigint) where id = $1`, [id, Date.now()]);
    return recordWishes(tx, [wakePayment(subject)]);
  });
  await deliver(wishes);
};
