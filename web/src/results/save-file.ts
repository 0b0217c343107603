/** Saves a file under its name. */
export function saveFile({ file, name }: { file: Blob; name: string }): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address after this turn, so it is given up a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
