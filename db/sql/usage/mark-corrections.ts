import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** A correction that an invoice has taken up. */
export interface ChargedCorrection {
  contractId: string;
  periodIdx: number;
  slug: string;
  occasion: string;
  at: Instant;
}

const SQL = `update usage_correction k set settled_at = x.at
  from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::timestamptz[]) as x(contract_id, idx, slug, occasion, at)
  where k.contract_id = x.contract_id and k.period_idx = x.idx and k.feature_slug = x.slug and k.occasion = x.occasion`;

/** Marks corrections as charged, each at its instant. SQL: those of a whole batch of contracts in one statement. */
export async function markCorrections(tx: Queryable, charged: readonly ChargedCorrection[]): Promise<void> {
  if (charged.length === 0) return;
  await tx.query(SQL, [
    charged.map(({ contractId }) => contractId),
    charged.map(({ periodIdx }) => periodIdx),
    charged.map(({ slug }) => slug),
    charged.map(({ occasion }) => occasion),
    charged.map(({ at }) => stamp(at)),
  ]);
}
