/** Saves the body of a response under the name that the server gave it. */
export async function saveFile(response: Response, fallback: string): Promise<void> {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? fallback;
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address after this turn, so it is given up a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
