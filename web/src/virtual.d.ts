declare module 'virtual:icon-masks.css';
