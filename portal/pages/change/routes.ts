import { onGet, onPost } from '../../http/route.ts';
import { confirm } from './confirm.ts';
import { onOwnContract } from './own.ts';
import { showChoice, showReview } from './show.ts';
import { takeBack } from './undo.ts';

/** Pages to choose another plan or other units, to see the price, to confirm the change, and to undo a planned one. */
export const changePages = [
  onGet('/contract/:id/change', onOwnContract('/change', showChoice)),
  onGet('/contract/:id/change/review', onOwnContract('/change', showReview)),
  onPost('/contract/:id/change', confirm),
  onPost('/contract/:id/change_undo', takeBack('change_undo')),
  onPost('/contract/:id/cancel_undo', takeBack('cancel_undo')),
];
