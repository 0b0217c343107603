// How values are written for people.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [['month', 2_629_800], ['day', 86_400], ['hour', 3_600], ['minute', 60]];

export function ago(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, size] of STEPS) if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return 'just now';
}
export const count = (value: number) => value.toLocaleString('en');
export const day = (iso: string) => new Date(iso).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
export const dayAndTime = (iso: string) => new Date(iso).toLocaleString('en', { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
export const time = (iso: string) => new Date(iso).toLocaleTimeString('en', { hour: 'numeric', minute: '2-digit' });
export const weekday = (iso: string) => new Date(iso).toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long' });
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
export const percent = (part: number, whole: number) => (whole ? `${Math.round((part / whole) * 100)}%` : '–');
export const phone = (e164: string | null) => e164?.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3') ?? '';
const DAYS: Record<string, string> = { Mo: 'Mon', Tu: 'Tue', We: 'Wed', Th: 'Thu', Fr: 'Fri', Sa: 'Sat', Su: 'Sun', PH: 'holidays' };
/** Opening hours in OpenStreetMap's syntax, `Mo-Fr 08:30-17:30; Su off`, as people write them. */
export const hours = (value: string) =>
  value.slice(0, 300).replaceAll(/\b(Mo|Tu|We|Th|Fr|Sa|Su|PH)\b/g, (code) => DAYS[code] ?? code).replaceAll(/\boff\b/g, 'closed').replaceAll(/(\w)-(?=\w)/g, '$1–').replaceAll(/;\s*/g, ' · ');
/** Words of a program, such as `google_analytics`, as people write them. */
export const words = (value: string) => value.replaceAll('_', ' ');
export const plural = (amount: number, one: string, many = `${one}s`) => `${count(amount)} ${amount === 1 ? one : many}`;
