import { Migration } from '@mikro-orm/migrations';

/** What was asked of a contract is numbered along with the events, so that a timeline knows which of two things at one instant came first. */
export class HistoryInTheLog extends Migration {
  up(): void {
    this.addSql('alter table contract_history add column seq bigint null');
    this.addSql(`alter table contract_history alter column seq set default nextval('event_seq_seq')`);
  }
}
