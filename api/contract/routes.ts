import type { Route } from '../http/route.ts';
import { activateContractRoute } from './activate.ts';
import { cancelContractRoute } from './cancel.ts';
import { estimateCancellationRoute } from './cancel-estimate.ts';
import { undoCancellationRoute } from './cancel-undo.ts';
import { undoChangeRoute } from './change-undo.ts';
import { chargeOnDemandRoute } from './charge.ts';
import { estimateUpgradeRoute } from './estimate.ts';
import { listContractsRoute } from './list.ts';
import { readContractRoute } from './read.ts';
import { resumeContractRoute } from './resume.ts';
import { signContractRoute } from './sign.ts';
import { estimateSigningRoute } from './sign-estimate.ts';
import { contractTimelineRoute } from './timeline.ts';
import { upcomingInvoiceRoute } from './upcoming-invoice.ts';
import { upgradeContractRoute } from './upgrade.ts';

export const contractRoutes: readonly Route[] = [
  estimateSigningRoute,
  signContractRoute,
  listContractsRoute,
  readContractRoute,
  estimateUpgradeRoute,
  upgradeContractRoute,
  activateContractRoute,
  estimateCancellationRoute,
  cancelContractRoute,
  undoCancellationRoute,
  undoChangeRoute,
  chargeOnDemandRoute,
  resumeContractRoute,
  upcomingInvoiceRoute,
  contractTimelineRoute,
];
