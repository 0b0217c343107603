// How many Radar alerts came since the Radar page was last opened. The moment is kept with the account, not in the browser.
import { api, need } from '../api/client';
import { listViews, saveView } from '../api/account';

export const SEEN_VIEW = 'app:radar-seen';
let seenAt = $state('');
let unseen = $state(0);
let loaded = false;

export const radarNews = {
  get unseen() {
    return unseen;
  },
  /** Alerts after this moment are new; empty when the page was never opened. */
  get seenAt() {
    return seenAt;
  },
};

export async function loadRadarNews(): Promise<void> {
  if (loaded) return;
  loaded = true;
  try {
    const seen = (await listViews()).find((view) => view.name === SEEN_VIEW);
    seenAt = typeof seen?.settings.at === 'string' ? seen.settings.at : '';
    const alerts = await need(api.GET('/radar/alerts', { params: { query: { limit: 50 } } }));
    unseen = alerts.filter((alert) => alert.created_at > seenAt).length;
  } catch {
    // A badge is not worth a message; the Radar page says what is wrong.
    unseen = 0;
  }
}

export async function markRadarSeen(newest: string): Promise<void> {
  unseen = 0;
  if (newest > seenAt) await saveView(SEEN_VIEW, { at: newest }).catch(() => {});
}
