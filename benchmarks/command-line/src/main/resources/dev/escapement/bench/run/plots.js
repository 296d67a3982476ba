/* Draws the plots of a page with Chart.js. Each is described by the JSON beside its canvas: see Plot.java. */
'use strict';
(() => {
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name.toLowerCase()).trim();
  const number = value => value.toLocaleString('en-US', {maximumSignificantDigits: 5});
  const isDecade = value => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;

  const axis = (title, logarithmic) => {
    return {
      type: logarithmic ? 'logarithmic' : 'linear',
      title: {display: title !== '', text: title, color: colour('text')},
      grid: {color: colour('line')},
      ticks: {
        color: colour('dim'),
        callback: value => logarithmic && !isDecade(value) ? null : number(value)
      }
    };
  };

  const dataset = ({title, bins, points}) => {
    return {
      label: title,
      data: points,
      borderColor: colour('teal'),
      backgroundColor: bins ? colour('teal') + '60' : colour('teal'),
      borderWidth: 1.5,
      pointStyle: 'rect',
      pointRadius: 0,
      stepped: bins ? 'after' : false,
      fill: bins ? 'origin' : false
    };
  };

  const config = plot => {
    return {
      type: 'line',
      data: {datasets: [dataset(plot)]},
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        interaction: {mode: 'nearest', axis: 'x', intersect: false},
        scales: {x: axis(plot.x, plot.bins), y: axis(plot.y, false)},
        plugins: {
          title: {display: true, text: plot.title, color: colour('text')},
          legend: {display: false},
          tooltip: {
            callbacks: {
              title: items => items.length === 0 ? '' : plot.x + ': ' + number(items[0].parsed.x),
              label: item => item.dataset.label + ': ' + number(item.parsed.y)
            }
          },
          zoom: {
            zoom: {
              mode: 'xy',
              wheel: {enabled: true, modifierKey: 'ctrl'}, // without a key it scrolls the page
              drag: {enabled: true, backgroundColor: colour('grey') + '40'}
            }
          }
        }
      }
    };
  };

  const plots = [...document.querySelectorAll('figure > script')].map(script => {
    const plot = JSON.parse(script.textContent);
    const holder = script.parentElement.querySelector('div');
    return {plot, canvas: holder.querySelector('canvas'), chart: null};
  });

  const draw = each => {
    each.chart?.destroy();
    each.chart = new Chart(each.canvas, config(each.plot));
  };

  // A long page draws a plot when it comes into sight, and all of them to be printed.
  const observer = new IntersectionObserver(entries => entries.filter(entry => entry.isIntersecting).forEach(entry => {
    observer.unobserve(entry.target);
    draw(plots.find(each => each.canvas === entry.target));
  }), {rootMargin: '400px'});
  for (const each of plots) {
    observer.observe(each.canvas);
    each.canvas.addEventListener('dblclick', () => each.chart?.resetZoom());
  }
  window.addEventListener('beforeprint', () => plots.filter(each => each.chart === null).forEach(draw));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change',
    () => plots.filter(each => each.chart !== null).forEach(draw));
})();
