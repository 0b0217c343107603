import { mount } from 'svelte';
import 'virtual:icon-masks.css';
import App from './App.svelte';

mount(App, { target: document.getElementById('app')! });
