import type { PortalResponse } from '../../http/response.ts';
import { showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { backToOverview, messageContent } from '../message/view.ts';

/** Whether there is a provider whose page collects a method; the vendor's own means have none. */
export const canAddMethods = ({ parts: { payments } }: Visit): boolean => payments.providers.get(payments.providers.usual).charges;

const UNAVAILABLE = 503;

/** The page for a provider that has no keys or doesn't answer; nothing was done. */
export const providerAwayPage = (visit: Visit): PortalResponse =>
  showPage({
    title: visit.t('pay.away_title'),
    content: messageContent(visit.t('pay.away_title'), visit.t('pay.away_text'), backToOverview(visit)),
    status: UNAVAILABLE,
    narrow: true,
  });
