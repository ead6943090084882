import type { Route } from '../http/route.ts';
import { archiveDiscountRoute } from './archive.ts';
import { listDiscountsRoute } from './list.ts';
import { readDiscountRoute } from './read.ts';
import { saveDiscountRoute } from './save.ts';

export const discountRoutes: readonly Route[] = [saveDiscountRoute, listDiscountsRoute, readDiscountRoute, archiveDiscountRoute];
