import { Migration } from '@mikro-orm/migrations';

export class Ledger extends Migration {
  up(): void {
    this.addSql(`create table ledger_account (
        id text not null, vendor_id text not null, kind text not null, owner text not null default '', currency text not null, primary key (id)
    )`);
    this.addSql(`alter table ledger_account add constraint ledger_account_unique unique (vendor_id, kind, owner, currency)`);

    this.addSql(`create table ledger_transaction (
        id text not null, vendor_id text not null, customer_id text not null, kind text not null, occasion text not null,
        invoice_id text null, at timestamptz(3) not null, primary key (id)
    )`);
    this.addSql(`create index ledger_transaction_invoice_index on ledger_transaction (invoice_id) where invoice_id is not null`);
    this.addSql(`create index ledger_transaction_customer_id_index on ledger_transaction (customer_id)`);
    this.addSql(`alter table ledger_transaction add constraint ledger_transaction_occasion_unique unique (kind, occasion)`);

    this.addSql(`create table ledger_posting (
        transaction_id text not null, account_id text not null, amount numeric not null, primary key (transaction_id, account_id)
    )`);
    this.addSql(`create index ledger_posting_account_id_index on ledger_posting (account_id)`);

    this.addSql(`create function ledger_is_append_only() returns trigger language plpgsql as $$
      begin
        raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
      end $$`);
    for (const table of ['ledger_account', 'ledger_transaction', 'ledger_posting']) {
      this.addSql(
        `create trigger ${table}_append_only before update or delete on ${table} for each row execute function ledger_is_append_only()`,
      );
    }

    // Deferred, so that the postings of a transaction may come in any order; each is seen again when the whole is to be committed.
    this.addSql(`create function ledger_is_balanced() returns trigger language plpgsql as $$
      begin
        if (select sum(amount) from ledger_posting where transaction_id = new.transaction_id) <> 0
           or (select count(distinct a.currency) from ledger_posting p join ledger_account a on a.id = p.account_id where p.transaction_id = new.transaction_id) > 1
           or not exists (select 1 from ledger_transaction where id = new.transaction_id) then
          raise exception 'ledger transaction % does not balance', new.transaction_id using errcode = 'check_violation';
        end if;
        return null;
      end $$`);
    this.addSql(`create constraint trigger ledger_posting_balanced after insert on ledger_posting
      deferrable initially deferred for each row execute function ledger_is_balanced()`);

    // What a validated invoice says never changes again; only how far it is paid may.
    this.addSql(`create function invoice_is_final() returns trigger language plpgsql as $$
      declare kept invoice;
      begin
        if tg_op = 'DELETE' then
          raise exception 'invoice % cannot be deleted', old.id using errcode = 'restrict_violation';
        end if;
        kept := new;
        kept.status := old.status;
        kept.amount_due := old.amount_due;
        kept.paid_at := old.paid_at;
        kept.deposit_transaction_status := old.deposit_transaction_status;
        kept.deposit_transaction_id := old.deposit_transaction_id;
        kept.external_reference := old.external_reference;
        if old.validated_at is not null and kept is distinct from old then
          raise exception 'invoice % is validated and cannot be changed', old.id using errcode = 'restrict_violation';
        end if;
        if old.validated_at is not null and new.status = 'pending_validation' then
          raise exception 'invoice % is validated already', old.id using errcode = 'restrict_violation';
        end if;
        return new;
      end $$`);
    this.addSql(`create trigger invoice_final before update or delete on invoice for each row execute function invoice_is_final()`);

    // An item's figures are fixed when it is written; later it only gets its invoice, once, or dies with a voided one.
    this.addSql(`create function invoice_item_is_final() returns trigger language plpgsql as $$
      declare kept invoice_item;
      begin
        if tg_op = 'DELETE' then
          raise exception 'invoice item % cannot be deleted', old.id using errcode = 'restrict_violation';
        end if;
        kept := new;
        kept.invoice_id := old.invoice_id;
        kept.position := old.position;
        kept.dead := old.dead;
        if old.invoice_id is not null and new.invoice_id is distinct from old.invoice_id
           or (old.invoice_id is not null and new.dead and not old.dead
               and exists (select 1 from invoice where id = old.invoice_id and validated_at is not null))
           or kept is distinct from old then
          raise exception 'invoice item % cannot be changed', old.id using errcode = 'restrict_violation';
        end if;
        return new;
      end $$`);
    this.addSql(
      `create trigger invoice_item_final before update or delete on invoice_item for each row execute function invoice_item_is_final()`,
    );
  }
}
