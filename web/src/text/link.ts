// A lead's website is whatever somebody wrote on the internet: only addresses of the web become links.
const parse = (url: string | null | undefined): URL | null => {
  try {
    return url ? new URL(url) : null;
  } catch {
    return null;
  }
};

export function webLink(url: string | null | undefined): string | undefined {
  const parsed = parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

/** `tel:` only for what can be a phone number, so that nothing else of a listing reaches the dialler. */
export const phoneLink = (number: string | null) => (number && /^\+?[\d\s().-]{3,24}$/.test(number) ? `tel:${number.replace(/[^\d+]/g, '')}` : undefined);

/** `mailto:` with the address encoded, so that it cannot add recipients or a subject. */
export const mailLink = (address: string) => (/^[^\s@<>?&"]+@[^\s@<>?&"]+$/.test(address) ? `mailto:${encodeURIComponent(address).replace('%40', '@')}` : undefined);

export const host = (url: string | null | undefined) => parse(url)?.hostname.replace(/^www\./, '') ?? '';

/** The address without its scheme, for reading. */
export function shortAddress(url: string): string {
  const parsed = parse(url);
  return parsed && webLink(url) ? host(url) + parsed.pathname.replace(/\/$/, '') : url;
}
