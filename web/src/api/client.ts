// The typed client of the documented API. The session is a cookie that the page never sees.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';
import { offline, Problem, problemOf } from './problem';

export type Schemas = components['schemas'];
export type Account = Schemas['Account'];
export type Alert = Schemas['Alert'];
export type Change = Schemas['Change'];
export type CreditEntry = Schemas['CreditEntry'];
export type Enrichment = Schemas['Enrichment'];
export type Evidence = Schemas['Evidence'];
export type Filters = Schemas['Filters'];
export type Quote = Schemas['Quote'];
export type Scope = Schemas['Scope'];
export type Search = Schemas['Search'];
export type Watch = Schemas['Watch'];

let onSignedOut = () => {};

/** Calls `then` whenever a request finds that the session has ended. */
export function whenSignedOut(then: () => void): void {
  onSignedOut = then;
}

const client = createClient<paths>({ baseUrl: '', credentials: 'same-origin', headers: { Accept: 'application/json' } });
export const api = client;

interface Fetched<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of a call, or the problem thrown. */
export async function need<T>(call: Promise<Fetched<T>>): Promise<T> {
  let answer: Fetched<T>;
  try {
    answer = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw offline();
  }
  if (answer.response.ok) return answer.data as T;
  throw noticed(problemOf(answer.response, answer.error));
}

/** Reports an ended session. A wrong password is also a 401, but says nothing about the session. */
export function noticed(problem: Problem): Problem {
  if (problem.status === 401 && problem.code !== 'wrong_credentials') onSignedOut();
  return problem;
}
