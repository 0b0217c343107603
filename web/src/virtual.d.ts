declare module 'virtual:icon-masks.css';
declare module 'virtual:signal-paths' {
  import type { Signal } from './leads/signals';
  const paths: Record<Signal['key'], string>;
  export default paths;
}
