/** `2025-01-31` or `2025-01-31 10:30` (UTC) as the wire writes it. */
export function instantOf(written: string): string {
  const [date = '', time = '00:00'] = written.split(/[ T]/);
  const at = new Date(`${date}T${time.replace('Z', '').padEnd(8, ':00')}Z`);
  return at.toISOString();
}

/** An instant as stories write it: midnight is the date alone. */
export function dayOf(iso: string): string {
  return iso.replace('T00:00:00.000Z', '').replace('T', ' ').replace(':00.000Z', '');
}
