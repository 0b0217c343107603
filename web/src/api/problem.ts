// Every refusal of the API, and every failure to reach it, as one kind of error.

export interface FieldProblem {
  field: string;
  message: string;
  code: string;
}

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly fields: FieldProblem[] = [],
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(detail);
  }
}

export const offline = () => new Problem(0, 'offline', 'the server cannot be reached; check your connection');

/** Reads a response that is not a success. Proxies answer in HTML, so the body may be anything. */
export function problemOf(response: Response, body: unknown): Problem {
  const known = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback);
  const retry = Number(response.headers.get('retry-after'));
  return new Problem(
    response.status,
    text(known.code, 'unreadable'),
    text(known.detail, `the server answered with status ${response.status}`),
    Array.isArray(known.errors) ? (known.errors as FieldProblem[]) : [],
    Number.isFinite(retry) && retry > 0 ? retry : null,
  );
}

/** What to do about a refusal, where the API cannot know the page that helps. */
export const adviceFor = (error: unknown) => (error instanceof Problem && error.code === 'ai_allowance_used_up' ? ' You can add your own AI key under Account.' : '');

/** A sentence for people: the API's details begin in lower case and have no full stop. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const ended = /[.?!]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
