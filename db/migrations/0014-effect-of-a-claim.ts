import { Migration } from '@mikro-orm/migrations';

/** A request whose answer comes after its effect notes the effect, so that a repeat after a crash makes it once. */
export class EffectOfAClaim extends Migration {
  up(): void {
    this.addSql('alter table idempotency add column effect_made boolean not null default false');
  }
}
