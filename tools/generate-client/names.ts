/** `start_plan_move` → `StartPlanMove` */
const pascal = (snake: string): string => snake.replace(/(^|_)([a-z])/g, (_, _gap, letter: string) => letter.toUpperCase());

/** `start_plan_move` → `startPlanMove` */
export const camel = (snake: string): string => snake.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The name of the shape that an operation's query has: `ListInvoicesQuery`. */
export const queryName = (operationId: string): string => `${pascal(operationId)}Query`;
