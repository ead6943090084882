import { Agenda } from './agenda.ts';
import { Audit } from './audit.ts';
import { Discount, Feature, Plan, PlanVersion, Pricing } from './catalogue.ts';
import { ContractHistory, ContractRecord, UsageOwner } from './contract.ts';
import { CreditGrant, CreditMovement } from './credit.ts';
import { CreditNote, CreditNoteItem } from './credit-note.ts';
import { CreditTopUp } from './credit-top-up.ts';
import { Customer, CustomerHistory, CustomerPause } from './customer.ts';
import { Document, DocumentPrint } from './document.ts';
import { Event, EventCount, EventLogStart, EventMark } from './event.ts';
import { FigureSum, FigureSumChange, MrrMoveRecord } from './figure.ts';
import { Idempotency } from './idempotency.ts';
import { Import, ImportLine, ImportRef } from './import.ts';
import { Invoice, InvoiceCounter, InvoiceItem } from './invoice.ts';
import { LedgerAccount, LedgerPosting, LedgerTransaction } from './ledger.ts';
import { CustomerByPlan, CustomerByPlanChange, ListCount, ListCountChange } from './list-count.ts';
import { OutboxMessage } from './outbox.ts';
import {
  Dunning,
  PaymentAttempt,
  PaymentDispute,
  PaymentNotice,
  PaymentRefund,
  PaymentSession,
  SandboxCharge,
  SandboxRefund,
  SandboxSetup,
} from './payment.ts';
import { PaymentGate } from './payment-gate.ts';
import { PaymentMethod } from './payment-method.ts';
import { PlanMove, PlanMoveContract } from './plan-move.ts';
import { PortalPreferences, PortalSession, PortalToken } from './portal.ts';
import { UsageCorrectionRecord, UsageCounter, UsageEvent, UsageEventHistory, UsageKey, UsagePeriodRecord } from './usage.ts';
import { UsageAlertReached, UsageAlertRecord } from './usage-alert.ts';
import { UsageLimitRecord, UsageWindow } from './usage-limit.ts';
import { UsageReservation } from './usage-reservation.ts';
import { UsageRoomRecord } from './usage-room.ts';
import { ApiKey, ConsoleSession, EndedSession, Person, TaxRateRecord, TestClock, Vendor } from './vendor.ts';
import { Wallet, WalletTransaction } from './wallet.ts';
import { EventBody, WebhookBacklog, WebhookEndpoint, WebhookSkip, WebhookTry } from './webhook.ts';

/** Every table. A new entity file adds its entities here and its SQL in `db/migrations`. */
export const entities = [
  Vendor,
  ApiKey,
  EndedSession,
  ConsoleSession,
  TaxRateRecord,
  TestClock,
  Customer,
  CustomerPause,
  CustomerHistory,
  Person,
  Plan,
  Feature,
  Pricing,
  PlanVersion,
  Discount,
  ContractRecord,
  ContractHistory,
  UsageOwner,
  PlanMove,
  PlanMoveContract,
  Import,
  ImportLine,
  ImportRef,
  UsagePeriodRecord,
  UsageEvent,
  UsageEventHistory,
  UsageKey,
  UsageCounter,
  UsageCorrectionRecord,
  UsageLimitRecord,
  UsageAlertRecord,
  UsageAlertReached,
  UsageWindow,
  UsageReservation,
  UsageRoomRecord,
  InvoiceItem,
  Invoice,
  InvoiceCounter,
  Wallet,
  WalletTransaction,
  CreditGrant,
  CreditMovement,
  CreditTopUp,
  Agenda,
  OutboxMessage,
  Event,
  Audit,
  EventMark,
  EventCount,
  EventLogStart,
  EventBody,
  WebhookEndpoint,
  WebhookBacklog,
  WebhookSkip,
  WebhookTry,
  Idempotency,
  PortalPreferences,
  PortalToken,
  PortalSession,
  LedgerAccount,
  LedgerTransaction,
  LedgerPosting,
  PaymentMethod,
  PaymentSession,
  PaymentGate,
  PaymentAttempt,
  Dunning,
  PaymentRefund,
  PaymentDispute,
  PaymentNotice,
  CreditNote,
  CreditNoteItem,
  Document,
  DocumentPrint,
  MrrMoveRecord,
  FigureSum,
  FigureSumChange,
  ListCount,
  ListCountChange,
  CustomerByPlan,
  CustomerByPlanChange,
  SandboxCharge,
  SandboxSetup,
  SandboxRefund,
];
