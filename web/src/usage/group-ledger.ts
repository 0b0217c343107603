// The ledger has one line for each lead. People read it by search: lines that follow each other are summed.
import type { CreditEntry, Search } from '../api/client';

export interface LedgerGroup {
  key: number;
  at: string;
  entries: number;
  amount: number;
  balance: number;
  kind: CreditEntry['reason'];
  note: string | null;
  /** The searches that were running then. Usually one. */
  searches: Search[];
}

const wasRunning = (search: Search, at: string) => search.created_at <= at && (search.completed_at === null || at <= search.completed_at);

/** Newest first, as the ledger comes. Balance and amount are exact; which search it was follows from the time. */
export function groupLedger(entries: CreditEntry[], searches: Search[]): LedgerGroup[] {
  const groups: LedgerGroup[] = [];
  for (const entry of entries) {
    const running = entry.reason === 'lead' ? searches.filter((search) => search.leads_found > 0 && wasRunning(search, entry.created_at)) : [];
    const last = groups.at(-1);
    const isSame = last?.kind === 'lead' && entry.reason === 'lead' && last.searches.map((s) => s.search_id).join() === running.map((s) => s.search_id).join();
    if (last && isSame) {
      last.entries += 1;
      last.amount += entry.amount;
    } else groups.push({ key: entry.line, at: entry.created_at, entries: 1, amount: entry.amount, balance: entry.balance, kind: entry.reason, note: entry.note, searches: running });
  }
  return groups;
}
