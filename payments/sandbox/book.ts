import pg from 'pg';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { SandboxMethod } from './methods.ts';

export interface BookedCharge {
  key: string;
  reference: string;
  method: string;
  amount: string;
  currency: string;
  /** `slow` is taken from `settlesAt` on; `waiting` waits until then for the customer to confirm */
  status: 'taken' | 'refused' | 'slow' | 'waiting';
  reason: string | null;
  settlesAt: Instant;
}

export interface BookedSetup {
  reference: string;
  choice: SandboxMethod | null;
  confirmations: number;
}

/** What the sandbox processor has done. What it has taken stays taken, also when we roll back. */
export interface Book {
  /** Enters a charge unless its key is known; returns the booked charge. */
  enter(charge: BookedCharge): Promise<BookedCharge>;
  find(key: string): Promise<BookedCharge | null>;
  findByReference(reference: string): Promise<BookedCharge | null>;
  /** Ends a charge that waits for the customer; any other stays as it is. */
  decide(key: string, status: 'taken' | 'refused', reason: string | null): Promise<void>;
  setup(reference: string): Promise<BookedSetup | null>;
  /** Counts a confirmation; a choice that differs from the last starts the count again. */
  confirm(reference: string, choice: SandboxMethod): Promise<BookedSetup>;
  /** Enters a refund unless its key is known; false when it exceeds what was taken. */
  refund(refund: { key: string; chargeReference: string; amount: string }): Promise<boolean>;
  close(): Promise<void>;
}

const CHARGE = `key, reference, method, amount::text as amount, currency, status, reason, settles_at::text as settles_at`;

type ChargeRow = Omit<BookedCharge, 'settlesAt'> & { settles_at: string };

const charge = (row: ChargeRow | undefined): BookedCharge | null => {
  if (row === undefined) return null;
  const { settles_at, ...rest } = row;
  return { ...rest, settlesAt: Number(settles_at) };
};

/** The book in Postgres, through connections of its own, so that no transaction of ours can undo an entry. */
export function openBook(databaseUrl: string): Book {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, allowExitOnIdle: true, idleTimeoutMillis: 10_000 });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {});
  const findBy = async (column: 'key' | 'reference', value: string) =>
    charge((await pool.query<ChargeRow>(`select ${CHARGE} from sandbox_charge where ${column} = $1`, [value])).rows[0]);

  return {
    async enter(entry) {
      await pool.query(
        `insert into sandbox_charge (key, reference, method, amount, currency, status, reason, settles_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (key) do nothing`,
        [entry.key, entry.reference, entry.method, entry.amount, entry.currency, entry.status, entry.reason, entry.settlesAt],
      );
      const booked = await findBy('key', entry.key);
      if (booked === null) throw new Error(`the sandbox lost charge ${entry.key}`);
      return booked;
    },
    find: (key) => findBy('key', key),
    findByReference: (reference) => findBy('reference', reference),
    async decide(key, status, reason) {
      await pool.query(`update sandbox_charge set status = $2, reason = $3 where key = $1 and status = 'waiting'`, [key, status, reason]);
    },
    async setup(reference) {
      const { rows } = await pool.query<BookedSetup>('select reference, choice, confirmations from sandbox_setup where reference = $1', [
        reference,
      ]);
      return rows[0] ?? null;
    },
    async confirm(reference, choice) {
      const { rows } = await pool.query<BookedSetup>(
        `insert into sandbox_setup as s (reference, choice, confirmations) values ($1, $2, 1)
         on conflict (reference) do update set choice = excluded.choice,
           confirmations = case when s.choice = excluded.choice then s.confirmations + 1 else 1 end
         returning reference, choice, confirmations`,
        [reference, choice],
      );
      const [row] = rows;
      if (row === undefined) throw new Error(`the sandbox lost set-up ${reference}`);
      return row;
    },
    async refund({ key, chargeReference, amount }) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query('select 1 from sandbox_charge where reference = $1 for update', [chargeReference]);
        const { rowCount } = await client.query(
          `insert into sandbox_refund (key, charge_reference, amount)
           select $1, c.reference, $3::numeric from sandbox_charge c
           where c.reference = $2 and c.status not in ('refused', 'waiting')
             and ($3::numeric + coalesce((select sum(r.amount) from sandbox_refund r where r.charge_reference = c.reference and r.key <> $1), 0)) <= c.amount
           on conflict (key) do update set key = excluded.key`,
          [key, chargeReference, amount],
        );
        await client.query('commit');
        return rowCount === 1;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}
