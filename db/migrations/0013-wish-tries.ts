import { Migration } from '@mikro-orm/migrations';

/** Each wish has its own next try, so that some that can't be delivered hold up nobody else's. */
export class WishTries extends Migration {
  up(): void {
    this.addSql('alter table wish add column next_try timestamptz(3) not null default now(), add column failure text null');
    this.addSql('drop index wish_open_index');
    this.addSql('create index wish_open_index on wish (tries, next_try) where delivered_at is null');
    this.addSql('create index wish_waiting_index on wish (workflow_id) where delivered_at is null');
  }
}
