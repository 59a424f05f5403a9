// The one place that knows where the view library lies.
export { html, nothing, render } from '../lib/lit-html/lit-html.js';
export { ref } from '../lib/lit-html/directives/ref.js';
