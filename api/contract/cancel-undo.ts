import { undoRoute } from './undo-route.ts';

export const undoCancellationRoute = undoRoute({
  kind: 'cancel_undo',
  operationId: 'undo_contract_cancellation',
  summary: 'Take back a scheduled cancellation',
  description:
    'Possible until it takes effect: the contract goes on as if it had not been canceled. A contract that has ended stays ended.',
  nothingWaits: 'no_pending_cancellation',
});
