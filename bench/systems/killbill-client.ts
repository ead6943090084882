interface Subscription {
  bundleId: string;
  accountId: string;
}

/** What Kill Bill is asked outside of what is measured. */
export class KillBillClient {
  readonly #address: string;
  readonly #headers: Record<string, string>;
  /** of every subscription looked up so far */
  readonly #subscriptions = new Map<string, Subscription>();
  /** A day of its clock, which the bill runs send ahead. */
  today = '';

  constructor(address: string, headers: Record<string, string>) {
    this.#address = address;
    this.#headers = headers;
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Response> {
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(new URL(path, this.#address), { method, headers: { ...this.#headers, 'content-type': type }, body: text });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    return answer;
  }

  /** Learns the accounts and bundles of some subscriptions, and which day it is there. */
  async lookUp(subscriptions: readonly string[]): Promise<void> {
    for (const id of subscriptions) {
      this.#subscriptions.set(id, (await (await this.send('GET', `/1.0/kb/subscriptions/${id}`)).json()) as Subscription);
    }
    const clock = (await (await this.send('GET', '/1.0/kb/test/clock')).json()) as { currentUtcTime: string };
    this.today = clock.currentUtcTime.slice(0, 'YYYY-MM-DD'.length);
  }

  of(subscription: string): Subscription {
    const found = this.#subscriptions.get(subscription);
    if (found === undefined) throw new Error(`The subscription ${subscription} has not been looked up`);
    return found;
  }

  /** Ends all that were looked up, so that the bill run has the herd's invoices alone. */
  async cancelAll(): Promise<void> {
    for (const id of this.#subscriptions.keys()) {
      await this.send('DELETE', `/1.0/kb/subscriptions/${id}?entitlementPolicy=IMMEDIATE&billingPolicy=IMMEDIATE`);
    }
    this.#subscriptions.clear();
  }

  async invoices(): Promise<number> {
    const answer = await this.send('GET', '/1.0/kb/invoices/pagination?offset=0&limit=1');
    return Number(answer.headers.get('x-killbill-pagination-totalnbrecords'));
  }
}
