import type { z } from 'zod';
import type { Import } from '../schema/import.ts';
import { ids } from './ids.ts';

/** Nothing was added yet. */
export const exampleImport = {
  id: ids.import,
  status: 'open',
  total: 0,
  done: 0,
  made: { customers: 0, contracts: 0, wallets: 0 },
  repeated: 0,
  refused_total: 0,
  created: '2026-05-04T09:30:00.000Z',
  ended: null,
} satisfies z.input<typeof Import>;

/** The same with its line, and done. */
export const exampleDoneImport = {
  ...exampleImport,
  status: 'done',
  total: 1,
  done: 1,
  made: { customers: 1, contracts: 0, wallets: 0 },
  ended: '2026-05-04T09:30:00.000Z',
} satisfies z.input<typeof Import>;

export const exampleLines = {
  lines: [{ number: 1, line: { type: 'customer', ref: 'cus_1', name: 'Ada Lovelace', emails: { main: 'ada@example.com' } } }],
};
