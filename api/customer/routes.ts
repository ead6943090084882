import type { Route } from '../http/route.ts';
import { activateCustomerRoute } from './activate.ts';
import { setAddressRoute } from './address.ts';
import { authenticateCustomerRoute } from './authenticate.ts';
import { eraseCustomerRoute } from './erase.ts';
import { freezeCustomerRoute } from './freeze.ts';
import { customerHistoryRoute } from './history.ts';
import { readCustomerRoute } from './read.ts';
import { saveCustomerRoute } from './save.ts';
import { searchCustomersRoute } from './search.ts';

export const customerRoutes: readonly Route[] = [
  saveCustomerRoute,
  searchCustomersRoute,
  readCustomerRoute,
  setAddressRoute,
  authenticateCustomerRoute,
  customerHistoryRoute,
  freezeCustomerRoute,
  activateCustomerRoute,
  eraseCustomerRoute,
];
