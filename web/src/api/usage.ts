// What was spent on which day, and what is left of each allowance.
import { api, need, type Schemas } from './client';

export type Usage = Schemas['Usage'];
const DAYS = 30;

export const readUsage = () => need(api.GET('/usage', { params: { query: { days: DAYS } } }));
