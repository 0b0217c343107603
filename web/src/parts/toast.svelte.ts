// Short messages about something that was just done. One at a time: the newest counts.
const SHOWN_MS = 6000;
let text = $state('');
let tone = $state<'plain' | 'red'>('plain');
let timer = 0;

export const toast = {
  get text() {
    return text;
  },
  get tone() {
    return tone;
  },
};

export function say(message: string, how: 'plain' | 'red' = 'plain'): void {
  text = message;
  tone = how;
  clearTimeout(timer);
  timer = window.setTimeout(hush, SHOWN_MS);
}
export function hush(): void {
  text = '';
}
