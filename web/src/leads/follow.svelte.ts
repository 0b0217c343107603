// A search and its leads, kept up to date while it runs. Leads arrive as numbered events; the number and the lead's id
// make sure that a broken connection neither loses nor doubles one.
import { api, need, type Schemas, type Search } from '../api/client';
import { listMarks, type Lead, type Mark } from '../api/leads';
import { Problem } from '../api/problem';

export type Connection = 'loading' | 'live' | 'reconnecting' | 'ended' | 'failed';
const POLL_MS = 4000;
const RETRY_FIRST_MS = 1000;
const RETRY_MOST_MS = 15_000;
const LEADS_MAX = 2500;

export class FollowedSearch {
  search = $state.raw<Search | null>(null);
  leads = $state.raw<Lead[]>([]);
  /** Leads that arrived a moment ago, to be shown as new. */
  fresh = $state.raw(new Set<string>());
  connection = $state<Connection>('loading');
  problem = $state.raw<Problem | null>(null);

  private indexes = new Map<string, number>();
  private marks = new Map<string, Mark>();
  private arrived: Lead[] = [];
  private frame = 0;
  private source: EventSource | null = null;
  private lastEvent = 0;
  private poll = 0;
  private retry = 0;
  private wait = RETRY_FIRST_MS;
  private closed = false;

  constructor(
    readonly id: string,
    private onend: () => void,
  ) {
    void this.open();
  }

  close(): void {
    this.closed = true;
    this.source?.close();
    clearInterval(this.poll);
    clearTimeout(this.retry);
    cancelAnimationFrame(this.frame);
  }

  /** Replaces leads that changed, such as after an enrichment. Others are left alone. */
  replace(changed: Schemas['Lead'][]): void {
    const next = [...this.leads];
    for (const lead of changed) {
      const at = this.indexes.get(lead.lead_id);
      if (at !== undefined) next[at] = this.marked(lead);
    }
    this.leads = next;
  }

  /** Shows what was noted about a lead. */
  note(id: string, mark: Mark): void {
    this.marks.set(id, mark);
    this.replace(this.leads.filter((lead) => lead.lead_id === id));
  }

  /** Reads the search again. */
  async refresh(): Promise<void> {
    const search = await need(api.GET('/searches/{search_id}', { params: { path: { search_id: this.id } } }));
    if (!this.closed) this.search = search;
  }

  /** Reads every lead again, for example after an enrichment of many. */
  async reload(): Promise<void> {
    const leads = await need(api.GET('/searches/{search_id}/leads', { params: { path: { search_id: this.id }, query: { limit: LEADS_MAX } } }));
    if (this.closed) return;
    if (leads.length === this.leads.length) return this.replace(leads);
    this.indexes = new Map(leads.map((lead, i) => [lead.lead_id, i]));
    this.leads = leads.map((lead) => this.marked(lead));
  }

  /** What is noted about leads does not come with them, neither in lists nor as events. */
  private marked(lead: Lead): Lead {
    const mark = this.marks.get(lead.lead_id);
    return mark ? { ...lead, mark } : lead;
  }

  private async loadMarks(): Promise<void> {
    for (const { lead_id, ...mark } of await listMarks(this.id)) this.marks.set(lead_id, mark);
  }

  private async open(): Promise<void> {
    try {
      await Promise.all([this.refresh(), this.loadMarks()]);
      if (this.closed) return;
      if (this.search?.status === 'running') this.listen();
      else {
        if (this.search?.leads_found) await this.reload();
        this.connection = 'ended';
      }
    } catch (error) {
      if (this.closed) return;
      this.problem = error as Problem;
      this.connection = 'failed';
    }
  }

  private listen(): void {
    this.source = new EventSource(`/searches/${encodeURIComponent(this.id)}/events${this.lastEvent ? `?last_event_id=${this.lastEvent}` : ''}`);
    this.source.onopen = () => {
      this.connection = 'live';
      this.wait = RETRY_FIRST_MS;
    };
    this.source.addEventListener('lead', (event) => {
      this.lastEvent = Number(event.lastEventId) || this.lastEvent;
      this.arrived.push(JSON.parse(event.data) as Lead);
      this.frame ||= requestAnimationFrame(() => this.flush());
    });
    this.source.addEventListener('search_done', (event) => void this.finish(JSON.parse(event.data) as Search));
    this.source.onerror = () => this.lost();
    clearInterval(this.poll);
    this.poll = window.setInterval(() => void this.refresh().catch(() => {}), POLL_MS);
  }

  /** Gives the page a new array once a frame, however many leads arrived within it. */
  private flush(): void {
    this.frame = 0;
    const fresh = this.arrived.filter((lead) => !this.indexes.has(lead.lead_id) && this.indexes.set(lead.lead_id, this.indexes.size));
    this.arrived = [];
    if (!fresh.length) return;
    this.leads = this.leads.concat(fresh.map((lead) => this.marked(lead)));
    this.fresh = new Set(fresh.map((lead) => lead.lead_id));
  }

  /** The browser reconnects by itself, unless it was refused; then we do, slower each time. */
  private lost(): void {
    if (this.closed || this.connection === 'ended') return;
    this.connection = 'reconnecting';
    if (this.source?.readyState !== EventSource.CLOSED) return;
    this.source.close();
    clearTimeout(this.retry);
    this.retry = window.setTimeout(() => void this.resume(), this.wait);
    this.wait = Math.min(this.wait * 2, RETRY_MOST_MS);
  }

  /** A refused stream may mean that the search ended while we were away. */
  private async resume(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      if ((error as Problem).status === 0 || (error as Problem).status >= 429) return this.lost();
      this.problem = error as Problem;
      this.connection = 'failed';
      return;
    }
    if (this.closed || !this.search) return;
    if (this.search.status === 'running') this.listen();
    else await this.finish(this.search);
  }

  private async finish(search: Search): Promise<void> {
    this.source?.close();
    clearInterval(this.poll);
    this.flush();
    this.search = search;
    // The last word is the server's: when a lead is missing here, everything is read again.
    if (search.leads_found !== this.leads.length) await this.reload().catch(() => {});
    await this.refresh().catch(() => {});
    if (this.closed) return;
    this.connection = 'ended';
    this.onend();
  }
}
