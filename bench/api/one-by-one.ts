import { connect } from '../../db/connect.ts';
import { insertPlain } from '../../db/sql/usage/insert-plain.ts';
import { UsageIntake } from '../../services/usage/intake.ts';

/**
 * The same API with every usage request in a statement and a commit of its own, to see what the group commit is worth.
 */
const [databaseUrl = ''] = process.argv.slice(2);
const db = await connect({ databaseUrl, databasePool: 10 });
UsageIntake.prototype.report = async (entries) => {
  const results = [];
  for (const entry of entries) {
    const written = await insertPlain(db, [entry]);
    if (!written.has(entry.id)) throw new Error('the bench reports plain events alone');
    results.push({ id: entry.id });
  }
  return results;
};
await import('../../api/main.ts');
