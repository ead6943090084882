import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Life, Outcome } from '../../../billing/contract/types.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Command, Json } from '../../../workflows/messages.ts';

interface CommandContext {
  tx: Tx;
  /** as read, held and not yet advanced */
  life: Life;
  /** the time on the contract's clock */
  now: Instant;
  command: Command;
}

interface CommandResult {
  /** null: nothing to write */
  outcome: Outcome | null;
  /** the life the outcome was reckoned from and its instant, where they aren't those of the context */
  basis?: { before: Life; at: Instant };
  answer: Json;
  /** what the timeline keeps of it */
  note?: Record<string, Json>;
}

/** One operation: reads its request, calls the rule, says what to write and to answer. */
export type CommandHandler = (context: CommandContext) => Promise<CommandResult>;
