import { Migration } from '@mikro-orm/migrations';

/**
 * Whoever posts writes whole transactions in one statement, so all of them are looked at together at its end, not posting by posting.
 * Each is looked up by its keys, whatever the planner knows of the tables.
 */
export class BalancePerStatement extends Migration {
  up(): void {
    this.addSql('drop trigger ledger_posting_balanced on ledger_posting');
    this.addSql('drop function ledger_is_balanced()');
    this.addSql(`create function ledger_is_balanced() returns trigger language plpgsql as $$
      declare off text;
      begin
        select made.transaction_id into off
        from (select distinct transaction_id from written) made
        cross join lateral (
          select sum(p.amount) as total, count(distinct (select a.currency from ledger_account a where a.id = p.account_id)) as currencies
          from ledger_posting p where p.transaction_id = made.transaction_id
        ) sums
        where sums.total <> 0 or sums.currencies > 1
          or (select t.id from ledger_transaction t where t.id = made.transaction_id) is null
        limit 1;
        if off is not null then
          raise exception 'ledger transaction % does not balance', off using errcode = 'check_violation';
        end if;
        return null;
      end $$`);
    this.addSql(`create trigger ledger_posting_balanced after insert on ledger_posting referencing new table as written
      for each statement execute function ledger_is_balanced()`);
  }
}
