import { undoRoute } from './undo-route.ts';

export const undoCancellationRoute = undoRoute({
  kind: 'cancel_undo',
  operationId: 'undo_contract_cancellation',
  summary: 'Take back a scheduled cancellation',
  description: 'Until it takes effect: the contract goes on as if it had not been canceled. What has ended stays ended.',
  nothingWaits: 'no_pending_cancellation',
});
