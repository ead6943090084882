import { detachHeard, pendingDetach } from '../../services/payment/method.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export const detachAtProvider =
  ({ db, payments }: ActivityDependencies) =>
  async ({ methodId }: { methodId: string }): Promise<void> => {
    const method = await pendingDetach(db.em(), methodId);
    if (method === null) return;
    await payments.providers.get(method.provider).detach(method);
    await detachHeard(db.em(), methodId);
  };
