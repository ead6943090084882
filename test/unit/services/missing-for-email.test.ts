import { missingForEmail } from '../../../services/email/send-again.ts';

const server = 'set SMTP_URL on the server (API and worker)';
const vendor = 'set enabled and from with POST /v1/c/preferences/email';
const clock = 'set test_clocks with POST /v1/c/preferences/email, since the customer is on a test clock';

it.each([
  [true, true, false, false, []],
  [true, true, true, true, []],
  [true, true, false, true, [clock]],
  [false, true, false, false, [server]],
  [false, false, true, true, [server, vendor]],
  [false, false, false, true, [server, vendor, clock]],
])(
  'server %s, enabled %s, test clocks %s, on a test clock %s: to be set is %j',
  (sendsMail, enabled, testClocks, isOnTestClock, missing) => {
    expect(missingForEmail(sendsMail, { enabled, testClocks }, isOnTestClock)).toEqual(missing);
  },
);
