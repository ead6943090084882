const UUID = '0197a3c4-5b1e-7c3d-8f21-';

/** An id in the form of real ones; its last digits distinguish the objects of the examples. */
export const exampleId = (prefix: string, number: number): string => `${prefix}_${UUID}${String(number).padStart(12, '0')}`;

/** The objects that several examples name: Ada, her contracts, and what belongs to them. */
export const ids = {
  clock: exampleId('Clock', 1),
  team: exampleId('Plan', 1),
  business: exampleId('Plan', 2),
  move: exampleId('Move', 1),
  import: exampleId('Imp', 1),
  discount: exampleId('Disc', 1),
  customer: exampleId('Cust', 1),
  vendor: exampleId('Wbc', 1),
  session: exampleId('PSess', 1),
  method: exampleId('CPMet', 1),
  movedContract: exampleId('Cont', 1),
  contract: exampleId('Cont', 2),
  supportContract: exampleId('Cont', 3),
  usage: exampleId('Evt', 1),
  limit: exampleId('Limit', 1),
  alert: exampleId('Alert', 1),
  topUp: exampleId('TopUp', 1),
  reservation: exampleId('Rsv', 1),
  released: exampleId('Rsv', 2),
  confirmed: exampleId('Evt', 40),
  invoice: exampleId('Inv', 1),
  creditNote: exampleId('CNote', 1),
  supportInvoice: exampleId('Inv', 4),
  voidedInvoice: exampleId('Inv', 3),
  firstKey: exampleId('Key', 1),
  key: exampleId('Key', 2),
  endpoint: exampleId('Hook', 1),
  line: exampleId('Item', 2),
};

/** An estimate's token, much shorter than a real one. */
export const exampleToken = 'eyJ2ZW5kb3IiOiJXYmNfMDE5N2EzYzQifQ.q1Vn8X0c7m2Jd0r3yHk9sLw5bT6uZ4aPeFgQiNoRtSY';

/** A token of the estimate of a signing, as short. */
export const signToken = 'eyJob2xkZXIiOiJXYmNfMDE5N2EzYzQifQ.Zk3fT9bW1xY7nQ2sR8vLc5mJ0pH4uGdE6aKoBiNtUyA';
