import type { Concern } from './concern.ts';

/**
 * Waits until three days before the free trial ends. Then the event that tells of it is sent, and the e-mail to the
 * customer.
 */
export const trialEnding: Concern = { words: () => 'a reminder is sent that the free trial will end', activity: 'tellOfTrialEnd' };
