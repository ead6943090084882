import { createKey } from './api-key/create.ts';
import { listKeys } from './api-key/list.ts';
import { revokeKeyRoute } from './api-key/revoke.ts';
import { rotateKey } from './api-key/rotate.ts';
import { activateContract } from './contract/activate.ts';
import { cancelContract } from './contract/cancel.ts';
import { undoCancellation } from './contract/cancel-undo.ts';
import { undoChange } from './contract/change-undo.ts';
import { chargeOnDemand } from './contract/charge.ts';
import { estimateUpgrade } from './contract/estimate.ts';
import { listContracts } from './contract/list.ts';
import { readContract } from './contract/read.ts';
import { resumeContract } from './contract/resume.ts';
import { sign } from './contract/sign.ts';
import { contractTimeline } from './contract/timeline.ts';
import { upgrade } from './contract/upgrade.ts';
import { activateCustomer } from './customer/activate.ts';
import { setAddress } from './customer/address.ts';
import { authenticateCustomer } from './customer/authenticate.ts';
import { freezeCustomer } from './customer/freeze.ts';
import { customerHistory } from './customer/history.ts';
import { readCustomerRoute } from './customer/read.ts';
import { saveCustomer } from './customer/save.ts';
import { searchCustomers } from './customer/search.ts';
import { archiveDiscountRoute } from './discount/archive.ts';
import { listDiscounts } from './discount/list.ts';
import { readDiscountRoute } from './discount/read.ts';
import { saveDiscountRoute } from './discount/save.ts';
import { accessEntitlement } from './entitlement/access.ts';
import { billingEntitlement } from './entitlement/billing.ts';
import { listEvents } from './event/list.ts';
import type { Route } from './http/route.ts';
import { creditInvoiceRoute } from './invoice/credit-note.ts';
import { creditNotePdfRoute } from './invoice/credit-note-pdf.ts';
import { explainInvoice } from './invoice/explain.ts';
import { listInvoices } from './invoice/list.ts';
import { makeInvoice } from './invoice/make.ts';
import { payInvoiceRoute } from './invoice/pay.ts';
import { invoicePdfRoute } from './invoice/pdf.ts';
import { readInvoiceRoute } from './invoice/read.ts';
import { validateInvoiceRoute } from './invoice/validate.ts';
import { voidInvoiceRoute } from './invoice/void.ts';
import { confirmPaymentSession } from './payment/confirm-session.ts';
import { createPaymentSession } from './payment/create-session.ts';
import { detachPaymentMethod } from './payment/detach-method.ts';
import { listPaymentMethods } from './payment/list-methods.ts';
import { readPaymentMethod } from './payment/read-method.ts';
import { readPaymentSession } from './payment/read-session.ts';
import { selectPaymentMethod } from './payment/select-method.ts';
import { archivePlanRoute } from './plan/archive.ts';
import { listPlans } from './plan/list.ts';
import { readPlanRoute } from './plan/read.ts';
import { savePlanRoute } from './plan/save.ts';
import { getInvoicing } from './preferences/get-invoicing.ts';
import { getPayment } from './preferences/get-payment.ts';
import { getTax } from './preferences/get-tax.ts';
import { setInvoicing } from './preferences/set-invoicing.ts';
import { setPayment } from './preferences/set-payment.ts';
import { setTax } from './preferences/set-tax.ts';
import { endSession } from './session/end.ts';
import { startSession } from './session/start.ts';
import { advanceTestClock } from './test-clock/advance.ts';
import { createTestClock } from './test-clock/create.ts';
import { readTestClock } from './test-clock/read.ts';
import { stopTestClock } from './test-clock/stop.ts';
import { amendUsageRoute } from './usage/amend.ts';
import { reportUsageBulk } from './usage/bulk.ts';
import { discardUsage } from './usage/discard.ts';
import { listUsage } from './usage/list.ts';
import { reportUsage } from './usage/report.ts';
import { closeUsagePeriod } from './usage-period/close.ts';
import { listUsagePeriods } from './usage-period/list.ts';
import { grantToWallet } from './wallet/grant.ts';
import { readWallet } from './wallet/read.ts';

/** Every endpoint of the interface; the document, the dispatch and the tests are made from this list. */
export const routes: readonly Route[] = [
  saveCustomer,
  searchCustomers,
  readCustomerRoute,
  setAddress,
  authenticateCustomer,
  customerHistory,
  freezeCustomer,
  activateCustomer,
  savePlanRoute,
  listPlans,
  readPlanRoute,
  archivePlanRoute,
  saveDiscountRoute,
  listDiscounts,
  readDiscountRoute,
  archiveDiscountRoute,
  createPaymentSession,
  readPaymentSession,
  confirmPaymentSession,
  listPaymentMethods,
  readPaymentMethod,
  detachPaymentMethod,
  selectPaymentMethod,
  readWallet,
  grantToWallet,
  sign,
  listContracts,
  readContract,
  estimateUpgrade,
  upgrade,
  activateContract,
  cancelContract,
  undoCancellation,
  undoChange,
  chargeOnDemand,
  resumeContract,
  contractTimeline,
  reportUsage,
  reportUsageBulk,
  listUsage,
  amendUsageRoute,
  discardUsage,
  listUsagePeriods,
  closeUsagePeriod,
  accessEntitlement,
  billingEntitlement,
  listInvoices,
  readInvoiceRoute,
  explainInvoice,
  validateInvoiceRoute,
  voidInvoiceRoute,
  payInvoiceRoute,
  creditInvoiceRoute,
  invoicePdfRoute,
  creditNotePdfRoute,
  makeInvoice,
  setInvoicing,
  getInvoicing,
  setPayment,
  getPayment,
  setTax,
  getTax,
  listEvents,
  startSession,
  endSession,
  createKey,
  listKeys,
  rotateKey,
  revokeKeyRoute,
  createTestClock,
  readTestClock,
  advanceTestClock,
  stopTestClock,
];
