/* Draws the plots of a page with Chart.js. Each is described by the JSON beside its canvas: see Plot.java. */
'use strict';
(() => {
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name.toLowerCase()).trim();
  const number = value => value.toLocaleString('en-US', {maximumSignificantDigits: 5});
  const isDecade = value => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;

  const axis = (title, logarithmic, fromZero) => {
    return {
      beginAtZero: fromZero,
      type: logarithmic ? 'logarithmic' : 'linear',
      title: {display: title !== '', text: title, color: colour('text')},
      grid: {color: colour('line')},
      ticks: {
        color: colour('dim'),
        callback: value => logarithmic && !isDecade(value) ? null : number(value)
      }
    };
  };

  const points = ({title, bins, points}) => {
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
      data: {datasets: [points(plot)]},
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        interaction: {mode: 'nearest', axis: 'x', intersect: false},
        scales: {x: axis(plot.x, plot.bins, !plot.bins), y: axis(plot.y, false, true)},
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

  let charts = [];
  const drawAll = () => {
    charts.forEach(chart => chart.destroy());
    charts = [...document.querySelectorAll('figure > script')].map(script =>
      new Chart(script.parentElement.querySelector('canvas'), config(JSON.parse(script.textContent))));
  };

  drawAll();
  for (const canvas of document.querySelectorAll('canvas')) {
    canvas.addEventListener('dblclick', () => Chart.getChart(canvas).resetZoom());
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  // Paper is narrower than a screen, and light.
  window.addEventListener('beforeprint', () => {
    document.documentElement.classList.add('paper');
    drawAll();
  });
  window.addEventListener('afterprint', () => {
    document.documentElement.classList.remove('paper');
    drawAll();
  });
})();
