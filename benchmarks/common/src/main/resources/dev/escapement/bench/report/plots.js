/* Draws the plots of a page with Chart.js. Each is described by the JSON beside its canvas: see Plot.java. */
'use strict';
(() => {
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name.toLowerCase()).trim();
  const number = value => value.toLocaleString('en-US', {maximumSignificantDigits: 5});
  const percentile = oneIn => parseFloat((100 - 100 / oneIn).toPrecision(9)) + '%';
  const isDecade = value => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;

  const axis = (plot, name) => {
    const {title, scale} = plot[name];
    return {
      type: scale === 'LINEAR' ? 'linear' : 'logarithmic',
      ...(scale === 'PERCENTILE' && {min: 1}),
      title: {display: title !== '', text: title, color: colour('text')},
      grid: {color: colour('line')},
      ticks: {
        color: colour('dim'),
        callback: value => scale === 'LINEAR' ? number(value)
          : !isDecade(value) ? null
          : scale === 'PERCENTILE' ? percentile(value) : number(value)
      }
    };
  };

  const dataset = curve => {
    return {
      label: curve.name,
      data: curve.x.map((x, i) => ({x, y: curve.y[i]})),
      borderColor: colour(curve.colour),
      backgroundColor: curve.style === 'BINS' ? colour(curve.colour) + '60' : colour(curve.colour),
      borderWidth: 1.5,
      pointStyle: 'rect',
      pointRadius: 0,
      stepped: curve.style === 'BINS' ? 'after' : false,
      fill: curve.style === 'BINS' ? 'origin' : false
    };
  };

  const config = plot => {
    return {
      type: 'line',
      data: {datasets: plot.curves.map(dataset)},
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        interaction: {mode: 'nearest', axis: 'x', intersect: false},
        scales: {x: axis(plot, 'x'), y: axis(plot, 'y')},
        plugins: {
          title: {display: true, text: plot.title, color: colour('text')},
          legend: {display: plot.curves.length > 1, position: 'bottom', labels: {color: colour('text'), boxWidth: 12}},
          tooltip: {
            callbacks: {
              title: items => items.length === 0 ? ''
                : plot.x.scale === 'PERCENTILE' ? percentile(items[0].parsed.x)
                : plot.x.title + ': ' + number(items[0].parsed.x),
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
