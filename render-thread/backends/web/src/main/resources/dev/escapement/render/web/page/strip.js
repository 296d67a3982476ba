/* The instruments: a bar of the last seconds, and below it a chart of ticks over the same time, with percentiles. */
import {byId, colour, legendEntry, make, setText} from "./dom.js";
import {TICK_GROUPS, quantile} from "./metrics.js";

const Y_AXIS_PIXELS = 52;
const MARK_PIXELS = 5;
const CLICK_PIXELS = 4;
const GAP = 1 / 20; // a time without a value is drawn as a gap if it is longer than this part of the shown time
const LANE = 0.7; // the part of the bar's height above the lane of ticks whose time other threads took
const MIN_SHOWN_NANOS = 2e9;
export const MAX_SHOWN_NANOS = 30e9;

export const text = value => value?.toFixed(Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : 2) ?? "–";

/** Creates a pattern of grey diagonal stripes. */
function hatching(ctx) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 4;
    const pen = tile.getContext("2d");
    pen.strokeStyle = colour("dim");
    pen.moveTo(0, 4);
    pen.lineTo(4, 0);
    pen.stroke();
    return ctx.createPattern(tile, "repeat");
}

export class Strip {
    lastNanos = 0; // the end of the shown time
    grabbed = null; // where the bar was pressed
    drags = false;

    /** Creates the instruments. `page` has the metrics, what is shown, scrubTo(tick), goOn() and explain(tick). */
    constructor(page) {
        this.page = page;
        const [plot, choice, table] = byId("ticks").querySelectorAll("canvas, select, tbody");
        choice.append(...Object.keys(TICK_GROUPS).map(name => new Option(name)));
        choice.onchange = () => this.draw();
        Object.assign(this, {choice, table, chart: this.newChart(plot, true)});
        const canvas = byId("bar");
        this.bar = this.newChart(canvas, false);
        canvas.onpointermove = event => {
            if (event.buttons & 1 && this.look && this.grabbed !== null) {
                this.drags ||= Math.abs(event.offsetX - this.grabbed) >= CLICK_PIXELS;
                page.scrubTo(page.metrics.tickAt(this.nanosAt(event.offsetX)));
            }
        };
        canvas.onpointerdown = event => {
            canvas.setPointerCapture(event.pointerId);
            this.grabbed = event.offsetX;
            canvas.onpointermove(event);
            this.explainAt(event.offsetX, false);
        };
        canvas.onpointerup = () => {
            const {drags} = this;
            this.letGo();
            drags && page.goOn(); // a click shows a tick and does not rewind
        };
        canvas.onpointercancel = () => this.letGo();
    }

    letGo() {
        this.grabbed = null;
        this.drags = false;
    }

    newChart(canvas, hasAxes) {
        const line = {display: hasAxes, color: () => colour("line")};
        const ticks = {color: () => colour("dim")};
        return new Chart(canvas, {
            type: "line",
            data: {datasets: []},
            options: {
                animation: false, parsing: false, normalized: true, maintainAspectRatio: false,
                events: hasAxes ? ["click"] : [], onClick: event => this.explainAt(event.x, true),
                plugins: {decimation: {enabled: true, algorithm: "min-max"}, legend: {display: false}, tooltip: {enabled: false}},
                elements: {point: {radius: 0}, line: {borderWidth: 1.3}},
                layout: {padding: {top: hasAxes ? 4 : 0}},
                scales: {
                    x: {
                        type: "linear", display: hasAxes, grid: line, border: line,
                        ticks: {...ticks, includeBounds: false, maxRotation: 0, callback: value => value + " s"},
                    },
                    y: {
                        beginAtZero: true, grid: line, border: line, ticks: {...ticks, display: hasAxes, maxTicksLimit: 5},
                        afterFit: scale => scale.width = Y_AXIS_PIXELS,
                    },
                },
            },
            plugins: [{id: "marks", beforeDatasetsDraw: chart => this.look && this.drawMarks(chart)}],
        });
    }

    /** Chooses the time to show. The end of this time does not advance while the page shows the past. */
    update() {
        const {clock, connected, explained, metrics, hello, mode, past, state} = this.page;
        if (mode === "live" && connected && !state.ended) {
            this.lastNanos = clock.serverNanos(performance.now() * 1e6);
        }
        const cursor = mode === "live" ? this.lastNanos : metrics.nanosOf(past.position);
        const to = Math.max(this.lastNanos, cursor);
        const kept = {from: metrics.nanosOf(state.historyFrom), to: metrics.nanosOf(state.historyTo)};
        const known = to - Math.min(cursor, metrics.ticks[0]?.published ?? to); // pictures are kept for longer than curves
        const from = to - Math.min(MAX_SHOWN_NANOS, hello.historySeconds * 1e9, Math.max(MIN_SHOWN_NANOS, known));
        const stutters = metrics.stutters.filter(stutter => stutter.nanos >= from && stutter.nanos <= to);
        const chosen = stutters.find(({tick}) => tick === explained)?.nanos ?? (explained === null ? -1 : metrics.nanosOf(explained));
        this.look = {cursor, from, to, kept, stutters, chosen};
    }

    nanosAt(pixel) {
        const {from, to} = this.look;
        return Math.min(to, Math.max(from, this.bar.scales.x.getValueForPixel(pixel) * 1e9));
    }

    /** Explains the stutter at a place. If there is none, explains the tick there if `orTick`. */
    explainAt(pixel, orTick) {
        if (!this.look) {
            return;
        }
        const nanos = this.nanosAt(pixel);
        const {from, to, stutters} = this.look;
        const distance = stutter => Math.abs(stutter.nanos - nanos);
        const [nearest] = stutters.toSorted((a, b) => distance(a) - distance(b));
        if (nearest && distance(nearest) < MARK_PIXELS * (to - from) / this.bar.width) {
            this.page.explain(nearest.tick);
        } else if (orTick) {
            this.page.explain(this.page.metrics.tickAt(nanos));
        }
    }

    /** Draws the bar and the chart. Called a few times a second. */
    draw() {
        if (!this.page.clock?.newest) {
            return;
        }
        this.update();
        const {from, to, stutters, chosen} = this.look;
        const group = this.choice.value;
        const rows = group.includes(" of body ") ? this.page.selection.rows() : this.page.metrics.ticks;
        const shown = TICK_GROUPS[group].map((name, index) => ({
            name, colour: `series${index + 1}`,
            data: rows.filter(row => row.published >= from && row.published < to).map(row => ({x: row.published / 1e9, y: row[name]}))
                .filter(point => point.y !== null),
        })).filter(one => one.data.length > 0);
        this.chart.data.datasets = shown.map(one => ({data: one.data, borderColor: colour(one.colour), spanGaps: GAP * (to - from) / 1e9}));
        this.table.replaceChildren(...shown.map(one => {
            const values = one.data.map(point => point.y);
            const cells = [0.5, 0.99, 1].map(part => make("td", text(quantile(values, part))));
            return make("tr", legendEntry("td", one.name, `var(--${one.colour})`), ...cells);
        }));
        for (const chart of [this.bar, this.chart]) {
            Object.assign(chart.options.scales.x, {min: from / 1e9, max: to / 1e9});
            chart.currentDevicePixelRatio === devicePixelRatio || chart.resize(); // another screen: Chart.js only notices a zoom
            chart.update("none");
        }
        const seconds = `${Math.round((to - from) / 1e9)} s`;
        setText("stutters", `${stutters.length} in ${seconds}`);
        const isShown = one => one.to > from && one.from < to;
        this.tell();
        const sentences = [
            [true, `The last ${seconds}.`],
            [this.page.steering.mayRewind, "Drag to look back and resume from there."],
            [stutters.length > 0, "Red: stutter, click for its cause."],
            [chosen >= from, "Blue: the tick explained."],
            [this.page.metrics.pauses.some(isShown), "Shaded: JVM pause."],
            [this.page.metrics.takenFromTicks().some(isShown), "Hatched: other threads delayed ticks."],
        ];
        setText("span", sentences.filter(([applies]) => applies).map(([, sentence]) => sentence).join(" "));
    }

    /** Draws only the bar. Called each frame while it is scrubbed. */
    drawBar() {
        this.update();
        this.tell();
        this.bar.draw();
    }

    /** Sets the text that a screen reader says about the bar. */
    tell() {
        const {mode, past, state, steering, ticksPerSecond} = this.page;
        const {historyFrom, historyTo} = state;
        const tick = mode === "live" ? historyTo : Math.floor(past.position);
        const ago = ((historyTo - tick) / ticksPerSecond).toFixed(1);
        Object.assign(byId("bar"), {
            ariaLabel: "Time bar: drag to look back, arrow keys go tick by tick"
                + (steering.mayRewind ? "; letting go, or Enter, lets the world go on from there, Escape returns to the present" : ""),
            ariaValueMin: historyFrom, ariaValueMax: historyTo, ariaValueNow: tick,
            ariaValueText: mode === "live" ? "the present" : `tick ${tick}, ${ago} s ago`,
        });
    }

    /**
     * Draws pauses of the JVM and the shown moment. The bar also has the kept ticks, the stutters, and the lane of ticks whose time other
     * threads took.
     */
    drawMarks({chartArea: {left, right, top, height}, ctx, scales: {x}, canvas}) {
        const {cursor, from, to, kept, stutters, chosen} = this.look;
        const pixel = nanos => Math.min(right, Math.max(left, x.getPixelForValue(nanos / 1e9)));
        const isBar = canvas.id === "bar";
        const draw = (bands, style, first = 0, last = isBar ? LANE : 1) => {
            ctx.fillStyle = style;
            for (const band of bands.filter(one => one.to > from && one.from < to)) {
                const start = pixel(band.from);
                ctx.fillRect(start - 0.5, top + first * height, Math.max(1.5, pixel(band.to) - start), (last - first) * height);
            }
        };
        draw(isBar ? [kept] : [], colour("kept"), 0.1, LANE - 0.1);
        const around = MARK_PIXELS * (to - from) / this.bar.width;
        draw([{from: chosen - around, to: chosen + around}], colour("chosen"), 0, 1);
        draw(isBar ? this.page.metrics.takenFromTicks() : [], hatching(ctx), LANE + 0.05, 1);
        draw(this.page.metrics.pauses, colour("band"));
        draw([{from: cursor, to: cursor}], colour("text"));
        draw(isBar ? stutters.map(({nanos}) => ({from: nanos, to: nanos})) : [], colour("red"), LANE / 2);
    }
}
