/** The tables whose rows `export` reads by the transaction that wrote them last. */
const EXPORTED = ['event', 'invoice', 'invoice_item', 'usage_event', 'ledger_transaction', 'customer', 'contract'];
/**
 * Invoices and their lines have the same line in the triggers that keep them final; events and the ledger never change.
 */
const CHANGING = ['usage_event', 'customer', 'contract'];

export const changesOfRows = [
  // a block range has its lowest and highest transaction, so that an update of a row touches no other index for it
  ...EXPORTED.map((table) => `create index ${table}_xid_index on ${table} using brin (xid) with (autosummarize = on)`),
  `create function changed_by() returns trigger language plpgsql as $$
    begin
      new.xid := pg_current_xact_id()::text::bigint;
      return new;
    end $$`,
  ...CHANGING.map((table) => `create trigger ${table}_changed before update on ${table} for each row execute function changed_by()`),
];
