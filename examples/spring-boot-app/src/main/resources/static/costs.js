// Two bars for each measurement: with pgtoaster, and with a plain column.
import { bytes, duration, h, number, times } from './dom.js';

const MEASURES = [
  { name: 'Write-ahead log', of: cost => cost.walBytes, show: bytes, less: 'less written', more: 'More written' },
  { name: 'Pages accessed', of: cost => cost.pages, show: number, less: 'fewer pages', more: 'More pages' },
  { name: 'Time', of: cost => cost.micros, show: duration, less: 'faster' },
];

const SIDES = ['pgtoaster', 'plain'];

/** Shows a comparison below the heading of a panel, in place of the previous one. */
export function showCost(panel, comparison) {
  clear(panel);
  panel.append(
    h('p', { className: 'action' }, comparison.action),
    headline(comparison),
    details(panel),
    h('div', { className: 'measures' }, ...MEASURES.map(measure => bars(measure, comparison))));
}

export function showHint(panel, text) {
  clear(panel);
  panel.append(h('p', { className: 'empty' }, text));
}

function clear(panel) {
  while (panel.children.length > 1) panel.lastElementChild.remove();
}

/** On a narrow page, the bars are hidden until the user opens them. */
function details(panel) {
  const button = h('button', { type: 'button', className: 'details' });
  const show = open => {
    panel.classList.toggle('open', open);
    button.textContent = open ? 'Less' : 'Details';
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => show(!panel.classList.contains('open')));
  show(panel.classList.contains('open'));
  return button;
}

function headline(comparison) {
  if (comparison.plain === null) {
    return h('p', { className: 'headline even' }, 'A plain column would have stored it twice');
  }
  const measure = MEASURES.find(m => m.of(comparison.plain) > 0 || m.of(comparison.pgtoaster) > 0);
  const ours = measure.of(comparison.pgtoaster);
  const plain = measure.of(comparison.plain);
  const ratio = plain / Math.max(1, ours);
  const slower = comparison.pgtoaster.micros > 1.5 * comparison.plain.micros;
  if (ratio >= 1.5) {
    return h('p', { className: 'headline' },
      h('strong', {}, times(ratio)), ` ${measure.less}${slower ? ', but slower' : ''}`);
  }
  const faster = comparison.plain.micros > 1.5 * comparison.pgtoaster.micros;
  const words = ratio > 0.67 && !slower ? 'About the same here'
    : faster ? `${measure.more}, but faster` : 'Here the plain column is cheaper';
  return h('p', { className: 'headline even' }, words);
}

function bars(measure, comparison) {
  const sides = SIDES.filter(side => comparison[side] !== null);
  const most = Math.max(...sides.map(side => measure.of(comparison[side])));
  const bar = side => {
    const value = measure.of(comparison[side]);
    const fill = h('span', { className: 'fill' });
    fill.hidden = value === 0;
    fill.style.width = `${100 * value / most}%`;
    return h('div', { className: `bar ${side}` },
      h('dt', {}, side === 'plain' ? 'plain column' : side),
      h('dd', {}, h('span', { className: 'rail', 'aria-hidden': 'true' }, fill),
        h('span', { className: 'value' }, most === 0 ? 'none' : measure.show(value))));
  };
  return h('div', { className: 'measure' },
    h('h4', {}, measure.name),
    h('dl', {}, ...sides.map(bar)));
}
