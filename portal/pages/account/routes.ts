import { accountOf, accountVersion, saveAccount } from '../../../services/portal/account.ts';
import type { Form } from '../../http/form.ts';
import { goTo, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet, onPost } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { countryName } from './countries.ts';
import { accountFrom, entriesOf, errorsIn, typedEntries } from './entries.ts';
import { type AccountForm, accountContent } from './view.ts';

export const accountPages = [onGet('/account', showAccount), onPost('/account', changeAccount)];

const NOTHING_WRONG: AccountForm['errors'] = new Map();
const UNPROCESSABLE = 422;

const pageOf = (visit: Visit, form: AccountForm, status = 200): PortalResponse =>
  showPage({ title: visit.t('account.title'), content: accountContent(visit, form), status, narrow: true });

function showAccount(visit: Visit): PortalResponse {
  const account = accountOf(visit.customer);
  return pageOf(visit, { entries: entriesOf(account), errors: NOTHING_WRONG, version: accountVersion(account), isOutdated: false });
}

async function changeAccount(visit: Visit, form: Form): Promise<PortalResponse> {
  const before = accountOf(visit.customer);
  const entries = typedEntries(before, form);
  const errors = errorsIn(entries, before);
  const version = form.text('version');
  if (errors.size > 0) return pageOf(visit, { entries, errors, version, isOutdated: false }, UNPROCESSABLE);
  const account = accountFrom(entries);
  const save = () => visit.db.transaction((tx) => saveAccount(tx, visit.visitor, account, version), visit.asker);
  // a second confirmation counts: the page says by then that something else has changed
  if (!(await save())) return pageOf(visit, { entries, errors, version: accountVersion(before), isOutdated: true }, UNPROCESSABLE);
  const country = account.address?.country ?? '';
  const hasMoved = country !== '' && country !== before.address?.country;
  const named = countryName(country, account.language ?? visit.language);
  const note = hasMoved ? ({ key: 'account.done_country', values: { country: named } } as const) : ({ key: 'account.done' } as const);
  return goTo('/portal/account', note, account.language);
}
