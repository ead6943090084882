import { billRunActivities } from './bill-run/index.ts';
import { clockActivities } from './clock/index.ts';
import { contractActivities } from './contract/index.ts';
import { customerActivities } from './customer/index.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { importActivities } from './import/index.ts';
import { paymentActivities } from './payment/index.ts';
import { planMoveActivities } from './plan-move/index.ts';
import { webhookActivities } from './webhook/index.ts';

/** Every activity a workflow can call. */
export const activitiesOf = (dependencies: ActivityDependencies) => ({
  ...contractActivities(dependencies),
  ...customerActivities(dependencies),
  ...billRunActivities(dependencies),
  ...clockActivities(dependencies),
  ...paymentActivities(dependencies),
  ...importActivities(dependencies),
  ...planMoveActivities(dependencies),
  ...webhookActivities(dependencies),
});
