import { setAddress } from './customer/address.ts';
import { authenticateCustomer } from './customer/authenticate.ts';
import { customerHistory } from './customer/history.ts';
import { readCustomerRoute } from './customer/read.ts';
import { saveCustomer } from './customer/save.ts';
import { searchCustomers } from './customer/search.ts';
import { archiveDiscountRoute } from './discount/archive.ts';
import { listDiscounts } from './discount/list.ts';
import { readDiscountRoute } from './discount/read.ts';
import { saveDiscountRoute } from './discount/save.ts';
import type { Route } from './http/route.ts';
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
];
