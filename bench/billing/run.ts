import { measureContracts } from './change.ts';
import { measureInvoices } from './invoice.ts';

const rows = [...(await measureInvoices()), ...(await measureContracts())];
console.table(
  Object.fromEntries(
    rows.map(({ name, perSecond, microseconds, decimalShare }) => [
      name,
      { 'ops/s per core': perSecond, 'µs each': microseconds.toFixed(1), 'in decimal arithmetic': `${Math.round(decimalShare * 100)} %` },
    ]),
  ),
);
