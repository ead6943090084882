import { importSome } from '../../services/import/import-some.ts';
import type { ImportInput, ImportStep } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** What an import's workflow calls. */
export interface ImportActivities {
  /** Carries out some lines of the import. */
  importLines(input: ImportInput): Promise<ImportStep>;
}

export function importActivities({ db, log }: ActivityDependencies): ImportActivities {
  return {
    importLines: withHeartbeat(async ({ importId, after }) => {
      const { failed, ...step } = await importSome(db, importId, after);
      for (const { number, error } of failed) log.error({ err: error, line: number, import: importId }, 'the line is not imported');
      return step;
    }),
  };
}
