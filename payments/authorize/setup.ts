import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { MethodRef, NewMethod, Setup, SetupOutcome, SetupRequest } from '../port.ts';
import { type AuthorizeCall, AuthorizeError } from './client.ts';

const DUPLICATE_RECORD = 'E00039';
const NOT_FOUND = 'E00040';
const MAX_MERCHANT_ID = 20;

const paymentProfile = z.looseObject({
  customerPaymentProfileId: z.string(),
  billTo: z.looseObject({ firstName: z.string().optional(), lastName: z.string().optional() }).optional(),
  payment: z
    .looseObject({
      creditCard: z.looseObject({ cardNumber: z.string(), cardType: z.string().optional() }).optional(),
      bankAccount: z.looseObject({ accountNumber: z.string() }).optional(),
    })
    .optional(),
});
type PaymentProfile = z.output<typeof paymentProfile>;

const profileResponse = z.looseObject({ profile: z.looseObject({ paymentProfiles: z.array(paymentProfile).optional() }) });

/**
 * Opens the provider's own page, on which the customer enters the card. It offers no bank accounts: their payments can
 * be returned days later, and the provider sends no notice of that. The methods that the profile has already are
 * written into the reference, so that a new one is known to come from this session.
 */
export async function createAuthorizeSetup(call: AuthorizeCall, pages: string, request: SetupRequest): Promise<Setup> {
  const customerProfileId = request.customerReference ?? (await createProfile(call, request));
  const before = await methodsOf(call, customerProfileId);
  const setting = [
    { settingName: 'hostedProfileManageOptions', settingValue: 'showPayment' },
    { settingName: 'hostedProfilePaymentOptions', settingValue: 'showCreditCard' },
    { settingName: 'hostedProfileBillingAddressRequired', settingValue: String(request.address) },
    ...(request.hosted === undefined ? [] : [{ settingName: 'hostedProfileReturnUrl', settingValue: request.hosted.returnUrl }]),
  ];
  const { token } = await call(
    'getHostedProfilePageRequest',
    { customerProfileId, hostedProfileSettings: { setting } },
    z.looseObject({ token: z.string() }),
  );
  const known = before.map((profile) => profile.customerPaymentProfileId).join(',');
  return {
    reference: `${request.token}:${known}`,
    customerReference: customerProfileId,
    clientSecret: token,
    connectedAccountId: null,
    publishableKey: null,
    ...(request.hosted === undefined ? {} : { page: { url: `${pages}/customer/addPayment`, fields: { token } } }),
  };
}

async function createProfile(call: AuthorizeCall, { customerId, customerName, email }: SetupRequest): Promise<string> {
  // at most 20 characters, and the same for every set-up of a customer, so that a second try finds the first one's
  // profile
  const merchantCustomerId = createHash('sha256').update(customerId).digest('hex').slice(0, MAX_MERCHANT_ID);
  const profile = { merchantCustomerId, description: customerName.slice(0, 255), ...(email === null ? {} : { email }) };
  try {
    const made = await call('createCustomerProfileRequest', { profile }, z.looseObject({ customerProfileId: z.string() }));
    return made.customerProfileId;
  } catch (error) {
    const existing = error instanceof AuthorizeError && error.code === DUPLICATE_RECORD ? /ID (\d+)/.exec(error.message)?.[1] : undefined;
    if (existing === undefined) throw error;
    return existing;
  }
}

async function methodsOf(call: AuthorizeCall, customerProfileId: string): Promise<PaymentProfile[]> {
  const { profile } = await call('getCustomerProfileRequest', { customerProfileId }, profileResponse);
  return profile.paymentProfiles ?? [];
}

export async function readAuthorizeSetup(
  call: AuthorizeCall,
  setup: { reference: string; customerReference: string | null },
): Promise<SetupOutcome> {
  if (setup.customerReference === null) return { status: 'failed', reason: 'no_customer_profile' };
  const known = new Set((setup.reference.split(':')[1] ?? '').split(','));
  const added = (await methodsOf(call, setup.customerReference)).filter((profile) => !known.has(profile.customerPaymentProfileId));
  // another program may add one to the same profile
  const cards = added.filter((profile) => profile.payment?.bankAccount === undefined);
  const newest = cards.at(-1);
  if (newest === undefined) return { status: 'pending', reason: null };
  return { status: 'succeeded', method: methodOf(newest, setup.customerReference) };
}

function methodOf(profile: PaymentProfile, customerReference: string): NewMethod {
  const name = [profile.billTo?.firstName, profile.billTo?.lastName].filter((part) => part !== undefined && part !== '').join(' ');
  return {
    reference: profile.customerPaymentProfileId,
    customerReference,
    type: 'card',
    details: {
      brand: profile.payment?.creditCard?.cardType ?? null,
      last4: profile.payment?.creditCard?.cardNumber.slice(-4) ?? null,
      expMonth: null,
      expYear: null,
    },
    holderName: name === '' ? null : name,
  };
}

export async function detach(call: AuthorizeCall, { reference, customerReference }: MethodRef): Promise<void> {
  try {
    await call(
      'deleteCustomerPaymentProfileRequest',
      { customerProfileId: customerReference, customerPaymentProfileId: reference },
      z.looseObject({}),
    );
  } catch (error) {
    if (!(error instanceof AuthorizeError && error.code === NOT_FOUND)) throw error;
  }
}
