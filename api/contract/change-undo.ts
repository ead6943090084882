import { undoRoute } from './undo-route.ts';

export const undoChangeRoute = undoRoute({
  kind: 'change_undo',
  operationId: 'undo_contract_change',
  summary: 'Drop a scheduled change',
  description: 'The scheduled contract becomes `canceled`, the current one goes on.',
  nothingWaits: 'no_pending_change',
});
