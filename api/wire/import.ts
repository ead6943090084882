import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { ImportDryRunResult, RefusedLine } from '../../services/import/dry-run.ts';
import type { ImportProgress, ImportState } from '../../services/import/read.ts';
import { errorCodeOf } from '../http/refusal-codes.ts';
import type { Import, ImportDryRun } from '../schema/import.ts';

export const refusedLineToWire = ({ number, type, code, problems }: RefusedLine) => ({
  line: number,
  type,
  code: code === null || code === 'internal_error' ? 'internal_error' : errorCodeOf(code),
  problems: problems ?? [],
});

const countsToWire = ({ customer, contract, wallet }: Pick<ImportProgress['madeOf'], 'customer' | 'contract' | 'wallet'>) => ({
  customers: customer,
  contracts: contract,
  wallets: wallet,
});

export const importToWire = (own: ImportState): z.input<typeof Import> => ({
  id: own.id,
  status: own.status,
  total: own.total,
  done: own.made,
  made: countsToWire(own.madeOf),
  repeated: own.repeated,
  refused_total: own.refused,
  created: iso(own.created),
  ended: own.ended === null ? null : iso(own.ended),
});

export const importDryRunToWire = ({ made, refused, ...run }: ImportDryRunResult): z.input<typeof ImportDryRun> => ({
  ...run,
  made: countsToWire(made),
  refused: refused.map(refusedLineToWire),
});
