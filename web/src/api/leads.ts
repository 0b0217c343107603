// Calls about leads: what is noted about them, finding them again, and files of chosen ones.
import { api, need, type Schemas } from './client';

export type Mark = Schemas['Mark'];
/** A lead, and what its owner noted about it. */
export type Lead = Schemas['Lead'] & { mark?: Mark };

export const NO_MARK: Mark = { starred: false, note: null, tags: [] };
const FOUND_MAX = 50;

export const listMarks = (search_id: string) => need(api.GET('/searches/{search_id}/marks', { params: { path: { search_id } } }));
export const setMark = (lead_id: string, change: Partial<Mark>) => need(api.PUT('/leads/{lead_id}/mark', { params: { path: { lead_id } }, body: change }));
export const findLeads = (q: string) => need(api.GET('/leads', { params: { query: { q, limit: FOUND_MAX } } }));

/** The file of chosen leads, with the name that the server gave it. */
export async function exportSelection(search_id: string, lead_ids: string[], channel: Partial<Schemas['SelectionExport']>): Promise<{ file: Blob; name: string }> {
  const call = api.POST('/searches/{search_id}/selection-export', { params: { path: { search_id } }, body: { ...channel, lead_ids }, parseAs: 'blob' });
  const file = await need(call);
  const { response } = await call;
  return { file, name: /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'leads.csv' };
}
