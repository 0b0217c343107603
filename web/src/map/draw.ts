// Draws the map on a canvas. Colours come from the stylesheet, so that light and dark need nothing here.
import { levelOf, type Level } from '../leads/signals';
import type { BaseMap, Dot } from './base';
import { toPixels, type Point, type ViewBox } from './project';

interface Scene {
  view: ViewBox;
  base: BaseMap;
  dots: Dot[];
  current?: string;
  picked: Set<string>;
  lasso: Point[];
}
type Rect = [left: number, top: number, right: number, bottom: number];
const overlaps = (a: Rect, b: Rect) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
const MANY_DOTS = 400;
const BIG_TOWN = 300_000;

export function draw(canvas: HTMLCanvasElement, scene: Scene): void {
  const { view } = scene;
  const ratio = devicePixelRatio || 1;
  canvas.width = view.width * ratio;
  canvas.height = view.height * ratio;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = colour('--map-land');
  pen.fillRect(0, 0, view.width, view.height);
  drawGrid(pen, view, colour('--map-urban'));
  drawArea(pen, scene, colour('--accent'));
  const bigTowns = drawTowns(pen, scene, colour);
  drawDots(pen, scene, colour, ratio);
  drawLabels(pen, bigTowns, colour);
  drawCurrent(pen, scene, colour);
  drawLasso(pen, scene, colour('--accent'));
}

/** Faint lines at round distances, so that panning is felt where there is nothing else to see. */
function drawGrid(pen: CanvasRenderingContext2D, view: ViewBox, stroke: string): void {
  const step = 2 ** Math.ceil(Math.log2(140 / view.scale));
  pen.strokeStyle = stroke;
  pen.lineWidth = 1;
  pen.beginPath();
  const left = view.x - view.width / 2 / view.scale;
  const top = view.y - view.height / 2 / view.scale;
  for (let x = Math.ceil(left / step) * step; (x - left) * view.scale < view.width; x += step) {
    const at = Math.round((x - left) * view.scale) + 0.5;
    pen.moveTo(at, 0);
    pen.lineTo(at, view.height);
  }
  for (let y = Math.ceil(top / step) * step; (y - top) * view.scale < view.height; y += step) {
    const at = Math.round((y - top) * view.scale) + 0.5;
    pen.moveTo(0, at);
    pen.lineTo(view.width, at);
  }
  pen.stroke();
}

function drawArea(pen: CanvasRenderingContext2D, { view, base }: Scene, accent: string): void {
  if (!base.rings.length && !base.circle) return;
  pen.beginPath();
  for (const ring of base.rings) {
    ring.forEach((point, i) => pen[i ? 'lineTo' : 'moveTo'](...toPixels(view, point)));
    pen.closePath();
  }
  if (base.circle) pen.arc(...toPixels(view, base.circle.at), base.circle.radius * view.scale, 0, 7);
  pen.fillStyle = accent;
  pen.globalAlpha = 0.06;
  pen.fill('evenodd');
  pen.globalAlpha = 0.75;
  pen.setLineDash([5, 5]);
  pen.strokeStyle = accent;
  pen.lineWidth = 1.4;
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

type Label = [name: string, x: number, y: number];
/** Draws the names of small towns and returns those of big ones, which go on top of the dots. */
function drawTowns(pen: CanvasRenderingContext2D, { view, base }: Scene, colour: (name: string) => string): Label[] {
  const taken: Rect[] = [];
  const big: Label[] = [];
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.lineWidth = 3;
  pen.strokeStyle = colour('--map-halo');
  pen.fillStyle = colour('--map-label');
  for (const town of base.towns) {
    const [x, y] = toPixels(view, town.at);
    if (x < 12 || y < 14 || x > view.width - 12 || y > view.height - 14) continue;
    const isBig = town.size > BIG_TOWN;
    pen.font = isBig ? '600 14px Inter, system-ui, sans-serif' : '500 11.5px Inter, system-ui, sans-serif';
    const half = pen.measureText(town.name).width / 2 + 8;
    const rect: Rect = [x - half, y - 11, x + half, y + 11];
    if (rect[0] < 2 || rect[2] > view.width - 2 || taken.some((other) => overlaps(rect, other))) continue;
    taken.push(rect);
    if (isBig) big.push([town.name, x, y - 14]);
    else {
      pen.strokeText(town.name, x, y);
      pen.fillText(town.name, x, y);
    }
  }
  return big;
}

function drawLabels(pen: CanvasRenderingContext2D, labels: Label[], colour: (name: string) => string): void {
  pen.font = '600 14px Inter, system-ui, sans-serif';
  pen.lineWidth = 4;
  pen.strokeStyle = colour('--map-halo');
  pen.fillStyle = colour('--ink-2');
  for (const [name, x, y] of labels) {
    pen.strokeText(name, x, y);
    pen.fillText(name, x, y);
  }
}

function drawDots(pen: CanvasRenderingContext2D, scene: Scene, colour: (name: string) => string, ratio: number): void {
  const { view, dots, picked, current } = scene;
  const radius = dots.length > MANY_DOTS ? 3.4 : 5;
  const side = (radius + 2) * 2;
  // A dot is drawn once for each colour and then copied: thousands of arcs would cost a frame.
  const stamp = (fill: string, ring: string) => {
    const copy = document.createElement('canvas');
    copy.width = copy.height = Math.ceil(side * ratio);
    const dot = copy.getContext('2d')!;
    dot.scale(ratio, ratio);
    dot.beginPath();
    dot.arc(side / 2, side / 2, radius, 0, 7);
    dot.fillStyle = fill;
    dot.fill();
    dot.lineWidth = 1.5;
    dot.strokeStyle = ring;
    dot.stroke();
    return copy;
  };
  const ring = colour('--surface');
  const stamps: Record<Level | 'picked', HTMLCanvasElement> = {
    high: stamp(colour('--score-hi'), ring), middle: stamp(colour('--score-mid'), ring), low: stamp(colour('--score-lo'), ring), picked: stamp(colour('--amber-fill'), colour('--ink')),
  };
  for (const { lead, at } of dots) {
    if (lead.lead_id === current) continue;
    const [x, y] = toPixels(view, at);
    if (x < -9 || y < -9 || x > view.width + 9 || y > view.height + 9) continue;
    pen.drawImage(stamps[picked.has(lead.lead_id) ? 'picked' : levelOf(lead.signals.score ?? 0)], x - side / 2, y - side / 2, side, side);
  }
}

function drawCurrent(pen: CanvasRenderingContext2D, { view, dots, current }: Scene, colour: (name: string) => string): void {
  const dot = current && dots.find(({ lead }) => lead.lead_id === current);
  if (!dot) return;
  const [x, y] = toPixels(view, dot.at);
  const circle = (radius: number) => {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
  };
  pen.fillStyle = colour('--accent');
  pen.globalAlpha = 0.2;
  circle(15);
  pen.fill();
  pen.globalAlpha = 1;
  circle(8);
  pen.fill();
  pen.lineWidth = 2.5;
  pen.strokeStyle = colour('--surface');
  pen.stroke();
}

function drawLasso(pen: CanvasRenderingContext2D, { lasso, view }: Scene, accent: string): void {
  if (lasso.length < 2) return;
  pen.beginPath();
  lasso.forEach((point, i) => pen[i ? 'lineTo' : 'moveTo'](...toPixels(view, point)));
  pen.closePath();
  pen.fillStyle = accent;
  pen.globalAlpha = 0.12;
  pen.fill();
  pen.globalAlpha = 1;
  pen.strokeStyle = accent;
  pen.lineWidth = 2;
  pen.stroke();
}
