import type { Received, Reply } from './scripted-server.ts';

interface Transaction {
  transId: string;
  invoiceNumber?: string;
  transactionStatus: string;
  transactionType?: string;
  /** of a refund */
  refTransId?: string;
  settleAmount?: number;
}

/** Authorize.Net's JSON API as far as we use it, with a memory and its duplicate check. */
export class ScriptedAuthorize {
  readonly transactions: Transaction[] = [];
  readonly #firstId: number;
  profiles: { customerPaymentProfileId: string; payment: object }[] = [];
  cutNext = false;
  /** what was made just now isn't in the lists yet */
  lists = true;
  profileGone = false;
  failsAfterwards = false;

  constructor(firstId = 1000) {
    this.#firstId = firstId;
  }

  reply = ({ body }: Received): Reply => {
    const [[operation = '', request]] = Object.entries(JSON.parse(body)) as [[string, Json]];
    if (request.merchantAuthentication.name !== 'login') return refused('E00007', 'wrong credentials');
    switch (operation) {
      case 'createCustomerProfileRequest':
        return refused('E00039', 'A duplicate record with ID 39598611 already exists.');
      case 'getCustomerProfileRequest':
        return ok({ profile: { paymentProfiles: this.profiles } });
      case 'getHostedProfilePageRequest':
        return ok({ token: 'hosted_token' });
      case 'createTransactionRequest':
        return this.#transact(request.transactionRequest);
      case 'getTransactionListForCustomerRequest':
        if (this.profileGone) return refused('E00040', 'The record cannot be found.');
        return ok({ transactions: this.lists ? this.transactions : [] });
      case 'getTransactionDetailsRequest':
        return ok({ transaction: this.#detailsOf(request.transId) });
      default:
        return ok({});
    }
  };

  #detailsOf(id: string): object | undefined {
    const { invoiceNumber, ...found } = this.transactions.find(({ transId }) => transId === id) ?? {};
    return { ...found, ...(invoiceNumber === undefined ? {} : { order: { invoiceNumber } }) };
  }

  #transact(request: Json): Reply {
    const isRefund = request.transactionType === 'refundTransaction';
    const invoiceNumber: string = request.order.invoiceNumber;
    const isSame = (made: Transaction) => made.invoiceNumber === invoiceNumber;
    if (request.transactionSettings?.setting[0].settingValue === '28800' && this.transactions.some(isSame)) return declined('3', '11');
    const method: string = request.profile.paymentProfile.paymentProfileId;
    if (this.profileGone) return refused('E00040', 'The record cannot be found.');
    if (method === 'expired') return declined('2', '8');
    if (method === 'foreign') return declined('3', '39');
    if (method === 'declined') return declined('2', '2');
    const transId = String(this.#firstId - (isRefund ? 100 : 0) + this.transactions.length);
    this.transactions.push({
      transId,
      invoiceNumber,
      transactionType: request.transactionType,
      ...(isRefund ? { refTransId: request.refTransId } : {}),
      settleAmount: Number(request.amount),
      transactionStatus: isRefund ? 'refundPendingSettlement' : 'capturedPendingSettlement',
    });
    if (this.cutNext) return 'cut';
    if (this.failsAfterwards) return refused('E00001', 'An error occurred during processing.');
    return ok({ transactionResponse: { responseCode: '1', transId } });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what we send is read as the provider reads it
type Json = any;
const ok = (body: object): Reply => ({
  status: 200,
  body: { ...body, messages: { resultCode: 'Ok', message: [{ code: 'I00001', text: 'ok' }] } },
});
const refused = (code: string, text: string, body: object = {}): Reply => ({
  status: 200,
  body: { ...body, messages: { resultCode: 'Error', message: [{ code, text }] } },
});
const declined = (responseCode: string, errorCode: string): Reply =>
  refused('E00027', 'The transaction was unsuccessful.', {
    transactionResponse: { responseCode, transId: '0', errors: [{ errorCode, errorText: 'no' }] },
  });
