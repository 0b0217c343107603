// Web Mercator without a library: degrees to a square world of side 1, and that to the pixels of a view.
export type Point = [x: number, y: number];
export interface ViewBox {
  /** The middle of the view, in the world. */
  x: number;
  y: number;
  /** Pixels of the whole world's width. */
  scale: number;
  width: number;
  height: number;
}
const EQUATOR_MILES = 24_901;
const LATITUDE_MAX = 85;

export function toWorld(longitude: number, latitude: number): Point {
  const sine = Math.sin((Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude)) * Math.PI) / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}
export const toPixels = (view: ViewBox, [x, y]: Point): Point => [(x - view.x) * view.scale + view.width / 2, (y - view.y) * view.scale + view.height / 2];
export const worldPerMile = (latitude: number) => 1 / (EQUATOR_MILES * Math.cos((latitude * Math.PI) / 180));

export interface Box {
  west: number;
  north: number;
  east: number;
  south: number;
}
export const boxOf = (points: Point[]): Box | null =>
  points.length
    ? points.reduce<Box>((box, [x, y]) => ({ west: Math.min(box.west, x), east: Math.max(box.east, x), north: Math.min(box.north, y), south: Math.max(box.south, y) }), { west: 1, east: 0, north: 1, south: 0 })
    : null;

const SCALE_MIN = 400;
const SCALE_MAX = 8_000_000;
const clamp = (scale: number) => Math.max(SCALE_MIN, Math.min(SCALE_MAX, scale));

export function fitBox(box: Box, width: number, height: number): ViewBox {
  const across = Math.max(box.east - box.west, 1e-5);
  const down = Math.max(box.south - box.north, 1e-5);
  return { x: (box.west + box.east) / 2, y: (box.north + box.south) / 2, scale: clamp(Math.min(width / across, height / down) / 1.14), width, height };
}

/** The view after zooming by a factor around a pixel, which stays where it is. */
export function zoomAt(view: ViewBox, factor: number, px: number, py: number): ViewBox {
  const scale = clamp(view.scale * factor);
  const shift = 1 / view.scale - 1 / scale;
  return { ...view, scale, x: view.x + (px - view.width / 2) * shift, y: view.y + (py - view.height / 2) * shift };
}

/** Whether a point lies inside a polygon, by counting the edges to its right. */
export function isInside([x, y]: Point, polygon: Point[]): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i]!;
    const [xj, yj] = polygon[j]!;
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}
