import type { Language } from '../../db/customer/language.ts';
import { hasText } from '../../portal/messages/key.ts';
import deAct from './de/act.json' with { type: 'json' };
import deClock from './de/clock.json' with { type: 'json' };
import deContract from './de/contract.json' with { type: 'json' };
import deCustomer from './de/customer.json' with { type: 'json' };
import deDue from './de/due.json' with { type: 'json' };
import deEditor from './de/editor.json' with { type: 'json' };
import deEntry from './de/entry.json' with { type: 'json' };
import deErase from './de/erase.json' with { type: 'json' };
import deError from './de/error.json' with { type: 'json' };
import deFind from './de/find.json' with { type: 'json' };
import deFrame from './de/frame.json' with { type: 'json' };
import deGift from './de/gift.json' with { type: 'json' };
import deGiveBack from './de/give_back.json' with { type: 'json' };
import deHistory from './de/history.json' with { type: 'json' };
import deHome from './de/home.json' with { type: 'json' };
import deImport from './de/import.json' with { type: 'json' };
import deInvoice from './de/invoice.json' with { type: 'json' };
import deLate from './de/late.json' with { type: 'json' };
import deList from './de/list.json' with { type: 'json' };
import deLog from './de/log.json' with { type: 'json' };
import deMessage from './de/message.json' with { type: 'json' };
import deMove from './de/move.json' with { type: 'json' };
import dePlan from './de/plan.json' with { type: 'json' };
import dePrefs from './de/prefs.json' with { type: 'json' };
import dePreview from './de/preview.json' with { type: 'json' };
import deRules from './de/rules.json' with { type: 'json' };
import deSale from './de/sale.json' with { type: 'json' };
import deWebhook from './de/webhook.json' with { type: 'json' };
import deWords from './de/words.json' with { type: 'json' };
import deWrong from './de/wrong.json' with { type: 'json' };
import enAct from './en/act.json' with { type: 'json' };
import enClock from './en/clock.json' with { type: 'json' };
import enContract from './en/contract.json' with { type: 'json' };
import enCustomer from './en/customer.json' with { type: 'json' };
import enDue from './en/due.json' with { type: 'json' };
import enEditor from './en/editor.json' with { type: 'json' };
import enEntry from './en/entry.json' with { type: 'json' };
import enErase from './en/erase.json' with { type: 'json' };
import enError from './en/error.json' with { type: 'json' };
import enFind from './en/find.json' with { type: 'json' };
import enFrame from './en/frame.json' with { type: 'json' };
import enGift from './en/gift.json' with { type: 'json' };
import enGiveBack from './en/give_back.json' with { type: 'json' };
import enHistory from './en/history.json' with { type: 'json' };
import enHome from './en/home.json' with { type: 'json' };
import enImport from './en/import.json' with { type: 'json' };
import enInvoice from './en/invoice.json' with { type: 'json' };
import enLate from './en/late.json' with { type: 'json' };
import enList from './en/list.json' with { type: 'json' };
import enLog from './en/log.json' with { type: 'json' };
import enMessage from './en/message.json' with { type: 'json' };
import enMove from './en/move.json' with { type: 'json' };
import enPlan from './en/plan.json' with { type: 'json' };
import enPrefs from './en/prefs.json' with { type: 'json' };
import enPreview from './en/preview.json' with { type: 'json' };
import enRules from './en/rules.json' with { type: 'json' };
import enSale from './en/sale.json' with { type: 'json' };
import enWebhook from './en/webhook.json' with { type: 'json' };
import enWords from './en/words.json' with { type: 'json' };
import enWrong from './en/wrong.json' with { type: 'json' };

/** English decides which keys there are. A page's name and a key of its file make the key of a message. */
const en = {
  preview: enPreview,
  move: enMove,
  error: enError,
  act: enAct,
  clock: enClock,
  contract: enContract,
  customer: enCustomer,
  due: enDue,
  editor: enEditor,
  entry: enEntry,
  erase: enErase,
  find: enFind,
  gift: enGift,
  frame: enFrame,
  give_back: enGiveBack,
  history: enHistory,
  home: enHome,
  import: enImport,
  invoice: enInvoice,
  late: enLate,
  list: enList,
  log: enLog,
  message: enMessage,
  plan: enPlan,
  prefs: enPrefs,
  rules: enRules,
  webhook: enWebhook,
  sale: enSale,
  words: enWords,
  wrong: enWrong,
};

type English = typeof en;
type Texts = { readonly [Page in keyof English]: { readonly [Key in keyof English[Page]]: string } };

const de: Texts = {
  preview: dePreview,
  move: deMove,
  error: deError,
  act: deAct,
  clock: deClock,
  contract: deContract,
  customer: deCustomer,
  due: deDue,
  editor: deEditor,
  entry: deEntry,
  erase: deErase,
  find: deFind,
  gift: deGift,
  frame: deFrame,
  give_back: deGiveBack,
  history: deHistory,
  home: deHome,
  import: deImport,
  invoice: deInvoice,
  late: deLate,
  list: deList,
  log: deLog,
  message: deMessage,
  plan: dePlan,
  prefs: dePrefs,
  rules: deRules,
  webhook: deWebhook,
  sale: deSale,
  words: deWords,
  wrong: deWrong,
};

export const CONSOLE_TEXTS = { en, de } as const satisfies Record<Language, Texts>;

/** `page.key` of every message, for example `customer.list_title`. */
export type ConsoleKey = { [Page in keyof English]: `${Page}.${keyof English[Page] & string}` }[keyof English];

/** Whether there is a message for a name that comes from the database. */
export function isConsoleKey(key: string): key is ConsoleKey {
  return hasText(en, key);
}
