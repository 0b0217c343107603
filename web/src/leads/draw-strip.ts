// The six signals of a row as one image. Six elements with a mask and an opacity each made scrolling slow; there are only 64 strips.
import paths from 'virtual:signal-paths';
import type { Signal } from './signals';

const ICON_PX = 15;
const GAP_PX = 7;
const OFF_OPACITY = 0.2;
const strips = new Map<string, string>();

/** A CSS image of the signals, lit in the accent colour where they are on. `theme` only tells the colours apart. */
export function drawStrip(signals: Signal[], theme: string): string {
  const key = theme + signals.map((signal) => Number(signal.on)).join('');
  let strip = strips.get(key);
  if (!strip) strips.set(key, (strip = draw(signals)));
  return strip;
}

function draw(signals: Signal[]): string {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const icons = signals.map(({ key, on }, i) => {
    const look = on ? `stroke="${colour('--accent')}"` : `stroke="${colour('--ink')}" opacity="${OFF_OPACITY}"`;
    return `<g transform="translate(${i * (ICON_PX + GAP_PX)} 0) scale(${ICON_PX / 24})" ${look}>${paths[key]}</g>`;
  });
  const width = signals.length * (ICON_PX + GAP_PX) - GAP_PX;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${ICON_PX}" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${icons.join('')}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}
