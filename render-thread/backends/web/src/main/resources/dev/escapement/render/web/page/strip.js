/* The instruments: a bar of the last seconds, and below it charts of ticks and frames over the same time, with percentiles. */
import {byId, colour, legendEntry, make, setText} from "./dom.js";
import {FRAME_GROUPS, TICK_GROUPS, lowerBound, quantile} from "./figures.js";

const Y_AXIS_PIXELS = 52;
const MARK_PIXELS = 5;
const SERIES_COLOURS = 5;
const MOST_EMPTY_BUCKETS = 24;
const LEAST_SHOWN_NANOS = 5e9;
export const MOST_SHOWN_NANOS = 30e9;

/** One chart with a choice of what it shows, and a table of percentiles as its legend. */
class Instrument {

    /** `datasets` gives the series of a group: {name, rows, time, value}, where time is the name of an instant. */
    constructor(strip, root, groups, datasets) {
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
                    x: {
                        type: "linear",
                        ticks: {display: root.id === "frames", includeBounds: false, maxRotation: 0, callback: value => value + " s"},
                    },
                    y: {beginAtZero: true, ticks: {maxTicksLimit: 5}, afterFit: scale => scale.width = Y_AXIS_PIXELS},
                },
            },
            plugins: [{id: "marks", beforeDatasetsDraw: chart => strip.drawMarks(chart.ctx, chart.chartArea)}],
        });
    }

    draw(from, to) {
        const bucketNanos = (to - from) / Math.max(50, Math.round(this.chart.width / 2));
        const shown = this.datasets(this.choice.value).map(({name, rows, time, value}, index) => ({
            name, colour: `series${index % SERIES_COLOURS + 1}`,
            points: rows.slice(lowerBound(rows, time, from), lowerBound(rows, time, to)).map(row => ({x: row[time], y: value(row)}))
                .filter(point => point.y !== null),
        }));
        this.chart.data.datasets = shown.map(one => ({data: thin(one.points, bucketNanos), borderColor: colour(one.colour)}));
        Object.assign(this.chart.options.scales.x, {min: from / 1e9, max: to / 1e9});
        this.chart.update("none");
        this.table.replaceChildren(...shown.map(one => {
            const sorted = one.points.map(point => point.y).sort((a, b) => a - b);
            const cells = [0.5, 0.99, 1].map(part => make("td", text(quantile(sorted, part))));
            return make("tr", legendEntry("td", one.name, `var(--${one.colour})`), ...cells);
        }));
    }
}

const text = value => value?.toFixed(Number.isInteger(value) || value >= 100 ? 0 : 2) ?? "–";

/** The largest value of each bucket of time, so that no spike is lost. They do not move with the strip: points would flicker. */
function thin(points, bucketNanos) {
    const found = [];
    let last = -Infinity;
    for (const {x, y} of points) {
        const bucket = Math.floor(x / bucketNanos);
        if (bucket === last) {
            found.at(-1).y = Math.max(found.at(-1).y, y);
            continue;
        }
        if (bucket - last > MOST_EMPTY_BUCKETS) {
            found.push({x: x / 1e9, y: NaN}); // a gap, no line
        }
        found.push({x: x / 1e9, y});
        last = bucket;
    }
    return found;
}

export class Strip {
    lastNanos = 0; // the end

    /** `page` has the figures, what is shown, scrubTo(tick) and explain(tick). */
    constructor(page) {
        this.page = page;
        this.bar = byId("bar");
        const ticks = group => Object.entries(TICK_GROUPS[group])
            .map(([name, value]) => ({name, value, rows: page.figures.ticks, time: "published"}));
        const frames = group => [...page.figures.frames].map(([name, rows]) => ({name, value: FRAME_GROUPS[group], rows, time: "display"}));
        this.instruments = [new Instrument(this, byId("ticks"), TICK_GROUPS, ticks),
            new Instrument(this, byId("frames"), FRAME_GROUPS, frames)];
        this.bar.onpointermove = event => {
            if (event.buttons & 1 && this.look) {
                page.scrubTo(page.figures.tickAt(this.nanosAt(event)));
            }
        };
        this.bar.onpointerdown = event => {
            this.bar.setPointerCapture(event.pointerId);
            this.bar.onpointermove(event);
            const stutter = this.look && this.stutterNear(this.nanosAt(event));
            if (stutter) {
                page.explain(stutter.tick);
            }
        };
    }

    /** Finds what to show. While the past is looked at it stands still. */
    update() {
        const {clock, connected, figures, hello, mode, past, state} = this.page;
        if (mode === "live" && connected && !state.ended) {
            this.lastNanos = clock.serverNanos(performance.now() * 1e6);
        }
        const cursor = mode === "live" ? this.lastNanos : figures.nanosOf(past.position);
        const to = Math.max(this.lastNanos, cursor);
        const historyFrom = figures.nanosOf(state.historyFrom);
        const known = to - Math.min(historyFrom, figures.ticks[0]?.published ?? to);
        const span = Math.min(MOST_SHOWN_NANOS, hello.historySeconds * 1e9, Math.max(LEAST_SHOWN_NANOS, known));
        const from = to - span;
        const stutters = figures.stutters.filter(stutter => stutter.nanos >= from && stutter.nanos <= to);
        this.look = {cursor, from, to, historyFrom, historyTo: figures.nanosOf(state.historyTo), stutters};
    }

    nanosAt(event) {
        const part = (event.clientX - this.bar.getBoundingClientRect().left - Y_AXIS_PIXELS) / (this.bar.clientWidth - Y_AXIS_PIXELS);
        return this.look.from + Math.min(1, Math.max(0, part)) * (this.look.to - this.look.from);
    }

    /** The stutter that was clicked at, undefined if there is none. */
    stutterNear(nanos) {
        const {from, to, stutters} = this.look;
        const distance = stutter => Math.abs(stutter.nanos - nanos);
        const reach = MARK_PIXELS * (to - from) / Math.max(1, this.bar.clientWidth);
        return stutters.filter(stutter => distance(stutter) < reach).sort((a, b) => distance(a) - distance(b))[0];
    }

    click(nanos) {
        this.page.explain(this.stutterNear(nanos)?.tick ?? this.page.figures.tickAt(nanos));
    }

    /** Draws all of it: a few times a second. */
    draw() {
        if (!this.page.clock?.newest) {
            return;
        }
        this.drawBar();
        const {from, to, stutters} = this.look;
        Chart.defaults.color = colour("dim");
        Chart.defaults.borderColor = colour("line");
        this.instruments.forEach(instrument => instrument.draw(from, to));
        const seconds = `${Math.round((to - from) / 1e9)} s`;
        setText("stutters", `${stutters.length} in ${seconds}`);
        setText("span", `${seconds} · red: stutter · shaded: JVM pause, core away`);
    }

    /** Draws the bar alone: each frame while it is scrubbed. */
    drawBar() {
        this.update();
        const {historyFrom, historyTo, stutters} = this.look;
        const width = this.bar.width = this.bar.clientWidth; // which also clears it
        const height = this.bar.height = this.bar.clientHeight;
        const context = this.bar.getContext("2d");
        const area = {left: Y_AXIS_PIXELS, right: width, top: 0, bottom: height};
        const x = this.pixel(area);
        context.fillStyle = colour("kept");
        context.fillRect(x(historyFrom), 4, Math.max(0, x(historyTo) - x(historyFrom)), height - 8);
        this.drawMarks(context, area);
        context.fillStyle = colour("red");
        stutters.forEach(stutter => context.fillRect(x(stutter.nanos) - 1, height / 2, 2, height / 2));
    }

    pixel({left, right}) {
        const {from, to} = this.look;
        return nanos => left + (right - left) * (Math.min(to, Math.max(from, nanos)) - from) / (to - from);
    }

    /** Pauses of the virtual machine, absences of cores, and the moment that is shown. */
    drawMarks(context, area) {
        if (!this.look) {
            return;
        }
        const x = this.pixel(area);
        const {cursor, from, to} = this.look;
        const draw = (bands, name) => {
            context.fillStyle = colour(name);
            for (const band of bands.filter(one => one.to > from && one.from < to)) {
                context.fillRect(x(band.from) - 0.5, area.top, Math.max(1.5, x(band.to) - x(band.from)), area.bottom - area.top);
            }
        };
        draw(this.page.figures.away, "away");
        draw(this.page.figures.pauses, "band");
        draw([{from: cursor, to: cursor}], "text");
    }
}
