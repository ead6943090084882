import { Refusal } from '../../../billing/refusal.ts';
import { home } from '../../../services/console/home.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { homeContent } from './view.ts';

/** The first page: how business goes, and what needs somebody. */
export const homePage = onGet('', showHome);

async function showHome(visit: Visit): Promise<ConsoleResponse> {
  const { query } = visit;
  try {
    const found = await home(visit.db, visit.visitor.vendorId, query('test_clock') || undefined);
    return showPage({ title: visit.t('home.title'), content: homeContent(visit, found) });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'test_clock_not_found') return noSuchPage;
    throw error;
  }
}
