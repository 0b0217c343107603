import type { Search } from '../api/client';

const DAYS = 30;
/** Credits by day from the searches, for a server that does not count them itself. */
export function dailyCredits(searches: Search[]): { day: string; value: number }[] {
  const byDay = new Map<string, number>();
  for (const search of searches) {
    const day = search.created_at.slice(0, 10);
    byDay.set(day, (byDay.get(day) ?? 0) + search.credits_charged);
  }
  const today = Date.now();
  return Array.from({ length: DAYS }, (_, i) => {
    const day = new Date(today - (DAYS - 1 - i) * 86_400_000).toISOString().slice(0, 10);
    return { day, value: byDay.get(day) ?? 0 };
  });
}
