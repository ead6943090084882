import { Migration } from '@mikro-orm/migrations';

/** Part of name, e-mail or reference is found by trigrams; three letters of it suffice. */
export class CustomerSearch extends Migration {
  up(): void {
    this.addSql('create extension if not exists pg_trgm');
    this.addSql('create index customer_search_index on customer using gin (search gin_trgm_ops)');
  }
}
