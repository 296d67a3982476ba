/* The instruments: a bar of the last seconds, and below it charts of ticks and frames over the same time, with percentiles. */
import {byId, colours, make, swatch} from "./dom.js";
import {F, FRAME_GROUPS, T, TICK_GROUPS, lowerBound, percentiles} from "./figures.js";

const Y_AXIS_PIXELS = 52;
const MARK_PIXELS = 5;

/** One chart with a choice of what it shows, and a table of percentiles as its legend. */
class Instrument {

    constructor(strip, root, groups, datasets, showTime) {
        this.datasets = datasets;
        this.choice = root.querySelector("select");
        this.table = root.querySelector("tbody");
        this.choice.append(...Object.keys(groups).map(name => new Option(name)));
        this.choice.onchange = () => strip.draw();
        this.chart = new Chart(root.querySelector("canvas"), {
            type: "line",
            data: {datasets: []},
            options: {
                animation: false, parsing: false, normalized: true, maintainAspectRatio: false, events: ["click"],
                onClick: event => strip.click(this.chart.scales.x.getValueForPixel(event.x) * 1e9),
                plugins: {legend: {display: false}, tooltip: {enabled: false}},
                elements: {point: {radius: 0}, line: {borderWidth: 1.3}},
                layout: {padding: {top: 4}},
                scales: {
                    x: {type: "linear", ticks: {display: showTime, includeBounds: false, maxRotation: 0, callback: value => value + " s"}},
                    y: {beginAtZero: true, ticks: {maxTicksLimit: 5}, afterFit: scale => scale.width = Y_AXIS_PIXELS},
                },
            },
            plugins: [{id: "marks", beforeDatasetsDraw: chart => strip.drawMarks(chart.ctx, chart.chartArea)}],
        });
    }

    draw(from, to, colours) {
        const chart = this.chart;
        const buckets = Math.max(50, Math.round(chart.width / 2));
        const shown = this.datasets(this.choice.value);
        chart.data.datasets = shown.map((series, index) => ({
            data: thin(series, from, to, buckets), borderColor: colours.series[index % colours.series.length],
        }));
        const {x, y} = chart.options.scales;
        x.min = from / 1e9;
        x.max = to / 1e9;
        for (const axis of [x, y]) {
            axis.grid = {color: colours.line};
            axis.border = {color: colours.line};
            axis.ticks.color = colours.dim;
        }
        chart.update("none");
        this.table.replaceChildren(...shown.map((series, index) => this.row(series, colours.series[index % colours.series.length], from, to)));
    }

    row(series, colour, from, to) {
        const found = percentiles(visible(series, from, to).map(series.value).filter(Number.isFinite));
        const text = value => value === undefined ? "–" : value.toFixed(series.unit === "ms" && value < 100 ? 2 : 0);
        const cells = [found?.p50, found?.p99, found?.max].map(value => make("td", text(value)));
        return make("tr", "", make("td", series.name, swatch(colour)), ...cells);
    }
}

function visible(series, from, to) {
    return series.rows.slice(lowerBound(series.rows, series.time, from), lowerBound(series.rows, series.time, to));
}

/** The largest value of each bucket of time, so that no spike is lost. */
function thin(series, from, to, buckets) {
    const points = [];
    const width = (to - from) / buckets; // they do not move when the strip does, so that points do not flicker
    let last = -1;
    for (const row of visible(series, from, to)) {
        const value = series.value(row);
        if (value === null) {
            continue;
        }
        const bucket = Math.floor(row[series.time] / width);
        if (bucket !== last) {
            if (bucket - last > buckets / 20) {
                points.push({x: row[series.time] / 1e9, y: NaN}); // a gap, no line
            }
            points.push({x: row[series.time] / 1e9, y: value});
            last = bucket;
        } else if (value > points.at(-1).y) {
            points.at(-1).y = value;
        }
    }
    return points;
}

export class Strip {

    /** `listener` has scrub(nanos), explain(tick) and look(): {figures, from, to, cursor, historyFrom, historyTo} in nanoseconds. */
    constructor(listener) {
        this.listener = listener;
        this.bar = byId("bar");
        const series = (group, rows, time) => ({...group, rows, time});
        const frames = group => [...this.look.figures.frames].map(([name, rows]) => ({...series(FRAME_GROUPS[group], rows, F.display), name}));
        const ticks = group => TICK_GROUPS[group].map(one => series(one, this.look.figures.ticks, T.published));
        this.instruments = [new Instrument(this, byId("ticks"), TICK_GROUPS, ticks, false),
            new Instrument(this, byId("frames"), FRAME_GROUPS, frames, true)];
        const drag = event => {
            if (event.buttons & 1 && this.look) {
                const nanos = this.nanosAt(event);
                this.listener.scrub(nanos);
                const stutter = this.stutterNear(nanos);
                if (event.type === "pointerdown" && stutter) {
                    this.listener.explain(stutter.tick);
                }
            }
        };
        this.bar.onpointerdown = event => {
            this.bar.setPointerCapture(event.pointerId);
            drag(event);
        };
        this.bar.onpointermove = drag;
    }

    nanosAt(event) {
        const part = (event.clientX - this.bar.getBoundingClientRect().left - Y_AXIS_PIXELS) / (this.bar.clientWidth - Y_AXIS_PIXELS);
        return this.look.from + Math.min(1, Math.max(0, part)) * (this.look.to - this.look.from);
    }

    /** The stutter that was clicked at, null if there is none. */
    stutterNear(nanos) {
        const reach = MARK_PIXELS * (this.look.to - this.look.from) / Math.max(1, this.bar.clientWidth);
        const near = this.look.figures.stutters.filter(stutter => Math.abs(stutter.nanos - nanos) < reach);
        return near.sort((a, b) => Math.abs(a.nanos - nanos) - Math.abs(b.nanos - nanos))[0] ?? null;
    }

    click(nanos) {
        this.listener.explain(this.stutterNear(nanos)?.tick ?? Math.floor(this.look.figures.tickAt(nanos)));
    }

    /** Draws all of it: a few times a second. */
    draw() {
        this.look = this.listener.look();
        if (this.look) {
            this.colours = colours();
            this.instruments.forEach(instrument => instrument.draw(this.look.from, this.look.to, this.colours));
            this.drawBar();
        }
    }

    /** Draws the bar alone: each frame while it is scrubbed. */
    drawBar() {
        this.look = this.listener.look();
        const width = this.bar.clientWidth;
        const height = this.bar.clientHeight;
        if (!this.look || !this.colours || width === 0) {
            return;
        }
        if (this.bar.width !== width || this.bar.height !== height) {
            this.bar.width = width;
            this.bar.height = height;
        }
        const context = this.bar.getContext("2d");
        context.clearRect(0, 0, width, height);
        const area = {left: Y_AXIS_PIXELS, right: width, top: 0, bottom: height};
        const x = this.pixel(area);
        context.fillStyle = this.colours.kept;
        context.fillRect(x(this.look.historyFrom), 4, Math.max(0, x(this.look.historyTo) - x(this.look.historyFrom)), height - 8);
        this.drawMarks(context, area);
        context.fillStyle = this.colours.red;
        for (const stutter of this.look.figures.stutters) {
            if (stutter.nanos >= this.look.from && stutter.nanos <= this.look.to) {
                context.fillRect(x(stutter.nanos) - 1, height / 2, 2, height / 2);
            }
        }
    }

    pixel(area) {
        const {from, to} = this.look;
        return nanos => area.left + (area.right - area.left) * (Math.min(to, Math.max(from, nanos)) - from) / (to - from);
    }

    /** Pauses of the virtual machine, absences of cores, and the moment that is shown. */
    drawMarks(context, area) {
        if (!this.look) {
            return;
        }
        const x = this.pixel(area);
        const {figures, from, to, cursor} = this.look;
        const band = (start, end, colour) => {
            if (end > from && start < to) {
                context.fillStyle = colour;
                context.fillRect(x(start) - 0.5, area.top, Math.max(1.5, x(end) - x(start)), area.bottom - area.top);
            }
        };
        figures.away.forEach(([, start, end]) => band(start, end, this.colours.away));
        figures.pauses.forEach(([start, end]) => band(start, end, this.colours.band));
        band(cursor, cursor, this.colours.text);
    }
}
