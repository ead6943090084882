import { createKeyRoute } from './api-key/create.ts';
import { listKeysRoute } from './api-key/list.ts';
import { revokeKeyRoute } from './api-key/revoke.ts';
import { rotateKeyRoute } from './api-key/rotate.ts';
import { activateContractRoute } from './contract/activate.ts';
import { cancelContractRoute } from './contract/cancel.ts';
import { undoCancellationRoute } from './contract/cancel-undo.ts';
import { undoChangeRoute } from './contract/change-undo.ts';
import { chargeOnDemandRoute } from './contract/charge.ts';
import { estimateUpgradeRoute } from './contract/estimate.ts';
import { listContractsRoute } from './contract/list.ts';
import { readContractRoute } from './contract/read.ts';
import { resumeContractRoute } from './contract/resume.ts';
import { signContractRoute } from './contract/sign.ts';
import { contractTimelineRoute } from './contract/timeline.ts';
import { upgradeContractRoute } from './contract/upgrade.ts';
import { activateCustomerRoute } from './customer/activate.ts';
import { setAddressRoute } from './customer/address.ts';
import { authenticateCustomerRoute } from './customer/authenticate.ts';
import { freezeCustomerRoute } from './customer/freeze.ts';
import { customerHistoryRoute } from './customer/history.ts';
import { readCustomerRoute } from './customer/read.ts';
import { saveCustomerRoute } from './customer/save.ts';
import { searchCustomersRoute } from './customer/search.ts';
import { archiveDiscountRoute } from './discount/archive.ts';
import { listDiscountsRoute } from './discount/list.ts';
import { readDiscountRoute } from './discount/read.ts';
import { saveDiscountRoute } from './discount/save.ts';
import { accessEntitlementRoute } from './entitlement/access.ts';
import { billingEntitlementRoute } from './entitlement/billing.ts';
import { listEventsRoute } from './event/list.ts';
import type { Route } from './http/route.ts';
import { creditInvoiceRoute } from './invoice/credit-note.ts';
import { creditNotePdfRoute } from './invoice/credit-note-pdf.ts';
import { explainInvoiceRoute } from './invoice/explain.ts';
import { listInvoicesRoute } from './invoice/list.ts';
import { makeInvoiceRoute } from './invoice/make.ts';
import { payInvoiceRoute } from './invoice/pay.ts';
import { invoicePdfRoute } from './invoice/pdf.ts';
import { readInvoiceRoute } from './invoice/read.ts';
import { validateInvoiceRoute } from './invoice/validate.ts';
import { voidInvoiceRoute } from './invoice/void.ts';
import { confirmPaymentSessionRoute } from './payment/confirm-session.ts';
import { createPaymentSessionRoute } from './payment/create-session.ts';
import { detachPaymentMethodRoute } from './payment/detach-method.ts';
import { listPaymentMethodsRoute } from './payment/list-methods.ts';
import { readPaymentMethodRoute } from './payment/read-method.ts';
import { readPaymentSessionRoute } from './payment/read-session.ts';
import { selectPaymentMethodRoute } from './payment/select-method.ts';
import { archivePlanRoute } from './plan/archive.ts';
import { listPlansRoute } from './plan/list.ts';
import { readPlanRoute } from './plan/read.ts';
import { savePlanRoute } from './plan/save.ts';
import { getInvoicingRoute } from './preferences/get-invoicing.ts';
import { getPaymentRoute } from './preferences/get-payment.ts';
import { getTaxRoute } from './preferences/get-tax.ts';
import { setInvoicingRoute } from './preferences/set-invoicing.ts';
import { setPaymentRoute } from './preferences/set-payment.ts';
import { setTaxRoute } from './preferences/set-tax.ts';
import { endSessionRoute } from './session/end.ts';
import { startSessionRoute } from './session/start.ts';
import { advanceTestClockRoute } from './test-clock/advance.ts';
import { createTestClockRoute } from './test-clock/create.ts';
import { readTestClockRoute } from './test-clock/read.ts';
import { stopTestClockRoute } from './test-clock/stop.ts';
import { amendUsageRoute } from './usage/amend.ts';
import { reportUsageBulkRoute } from './usage/bulk.ts';
import { discardUsageRoute } from './usage/discard.ts';
import { listUsageRoute } from './usage/list.ts';
import { reportUsageRoute } from './usage/report.ts';
import { closeUsagePeriodRoute } from './usage-period/close.ts';
import { listUsagePeriodsRoute } from './usage-period/list.ts';
import { grantToWalletRoute } from './wallet/grant.ts';
import { readWalletRoute } from './wallet/read.ts';

/** Every endpoint of the API; the OpenAPI document, the dispatch and the tests are made from this list. */
export const routes: readonly Route[] = [
  saveCustomerRoute,
  searchCustomersRoute,
  readCustomerRoute,
  setAddressRoute,
  authenticateCustomerRoute,
  customerHistoryRoute,
  freezeCustomerRoute,
  activateCustomerRoute,
  savePlanRoute,
  listPlansRoute,
  readPlanRoute,
  archivePlanRoute,
  saveDiscountRoute,
  listDiscountsRoute,
  readDiscountRoute,
  archiveDiscountRoute,
  createPaymentSessionRoute,
  readPaymentSessionRoute,
  confirmPaymentSessionRoute,
  listPaymentMethodsRoute,
  readPaymentMethodRoute,
  detachPaymentMethodRoute,
  selectPaymentMethodRoute,
  readWalletRoute,
  grantToWalletRoute,
  signContractRoute,
  listContractsRoute,
  readContractRoute,
  estimateUpgradeRoute,
  upgradeContractRoute,
  activateContractRoute,
  cancelContractRoute,
  undoCancellationRoute,
  undoChangeRoute,
  chargeOnDemandRoute,
  resumeContractRoute,
  contractTimelineRoute,
  reportUsageRoute,
  reportUsageBulkRoute,
  listUsageRoute,
  amendUsageRoute,
  discardUsageRoute,
  listUsagePeriodsRoute,
  closeUsagePeriodRoute,
  accessEntitlementRoute,
  billingEntitlementRoute,
  listInvoicesRoute,
  readInvoiceRoute,
  explainInvoiceRoute,
  validateInvoiceRoute,
  voidInvoiceRoute,
  payInvoiceRoute,
  creditInvoiceRoute,
  invoicePdfRoute,
  creditNotePdfRoute,
  makeInvoiceRoute,
  setInvoicingRoute,
  getInvoicingRoute,
  setPaymentRoute,
  getPaymentRoute,
  setTaxRoute,
  getTaxRoute,
  listEventsRoute,
  startSessionRoute,
  endSessionRoute,
  createKeyRoute,
  listKeysRoute,
  rotateKeyRoute,
  revokeKeyRoute,
  createTestClockRoute,
  readTestClockRoute,
  advanceTestClockRoute,
  stopTestClockRoute,
];
