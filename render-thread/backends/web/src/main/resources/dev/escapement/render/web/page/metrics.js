/*
 * Keeps the metrics of the last ticks and of this page's frames, and finds the stutters among them. Instants are the server's nanoseconds;
 * durations that are added here to ticks are milliseconds.
 */

const TICK = ["tick", "due", "started", "stepped", "published", "ended", "skipped", "commands", "wantedPeriod", "slowed"];
const MAX_STUTTERS = 500;

export const VISIBLE_ERROR_NANOS = 1e6;
export const SLOW_NANOS = 1e9 / 24; // the largest normal interval of frames: a browser that always has fewer frames is slow, too

/** The metrics of ticks, by group. */
export const TICK_GROUPS = {
    "Tick times (ms)": ["lateness", "step", "capture", "publish delay"],
    "Load": ["budget used (%)", "skipped (ms)", "speed (%)"],
    "Position of body (m)": ["x", "y", "z"],
    "Speed of body (m/s)": ["speed"],
};

const named = (names, values) => Object.fromEntries(names.map((name, index) => [name, values[index]]));

/** Returns the quantile `part` of values; undefined if there are none. Sorts them. */
export function quantile(values, part) {
    values.sort((a, b) => a - b);
    return values[Math.min(values.length - 1, Math.floor(part * values.length))];
}

export class Metrics {
    ticks = [];
    frames = []; // {display, holds, error, lookBehind, tick}, and the fields that addFrame adds
    pauses = []; // {from, to, name}
    late = []; // {tick, from, to, own, taken}: late ticks, and what took their time, in words
    stutters = []; // {nanos, tick}

    constructor(tickNanos, keptNanos) {
        this.tickNanos = tickNanos;
        this.keptNanos = keptNanos;
    }

    addTicks(rows, scale) {
        for (const row of rows.map(values => named(TICK, values))) {
            const last = this.ticks.at(-1);
            if (row.tick <= last?.tick) {
                continue; // the row was sent again
            }
            const since = last ? (row.due - last.due - Math.max(row.skipped, last.skipped)) / 1e6 : 0;
            const follows = row.tick === last?.tick + 1 && since > 0 && since < 2 * last.period; // consecutive, with no pause between
            const millis = (from, to) => (row[to] - row[from]) / 1e6;
            Object.assign(row, {
                "period": follows ? since : this.tickNanos / scale / 1e6,
                "lateness": millis("due", "started"),
                "step": millis("started", "stepped"),
                "capture": millis("stepped", "published"),
                "publish delay": millis("due", "published"),
                "after": millis("published", "ended"),
                "skipped (ms)": row.skipped / 1e6,
                "speed (%)": 100 * row.wantedPeriod / (row.wantedPeriod + row.slowed + row.skipped),
            });
            row["budget used (%)"] = Math.round(100 * millis("started", "ended") / row.period);
            row.isBad = row["publish delay"] > row.period || row.skipped > 0;
            this.add(this.ticks, row, "published");
        }
    }

    /** Adds a frame. `holds` counts all frames so far that stood still for want of a tick, `error` is the signed animation error. */
    addFrame(row) {
        const last = this.frames.at(-1) ?? row;
        row.since = row.display - last.display;
        row.isHold = row.holds > last.holds;
        row.isAfterHold = Boolean(last.isHold);
        row.isBad = (row.isHold && !row.isAfterHold) || Math.abs(row.error) > VISIBLE_ERROR_NANOS;
        this.add(this.frames, row, "display");
    }

    addMachine({pauses, late}) {
        pauses.forEach(([from, to, name]) => this.add(this.pauses, {from, to, name}, "to"));
        late.forEach(([tick, from, to, own, taken]) => this.add(this.late, {tick, from, to, own, taken}, "to"));
    }

    /** Keeps a row, and drops old ones; stutters of the same tick count once. */
    add(rows, row, time) {
        rows.push(row);
        const oldest = row[time] - this.keptNanos;
        if (rows.length > 1000 && rows[500][time] < oldest) {
            rows.splice(0, rows.findIndex(other => other[time] >= oldest));
        }
        if (row.isBad && !this.stutters.some(other => other.tick === row.tick)) {
            this.stutters.push({nanos: row[time], tick: row.tick});
            this.stutters.splice(0, this.stutters.length - MAX_STUTTERS);
        }
    }

    row(tick) {
        return this.ticks.find(row => row.tick === tick);
    }

    /** What took the time of a late tick, in words; undefined for a few seconds after the tick, and if the tick was not late. */
    takenOf(tick) {
        return this.late.findLast(late => late.tick === tick)?.taken;
    }

    /** The late ticks whose time was mostly taken by other threads. */
    takenFromTicks() {
        return this.late.filter(({from, own, to}) => own < (to - from) / 2);
    }

    /** The instant at which a tick was published; an estimate if its row is not kept. */
    nanosOf(tick) {
        const row = this.ticks.find(other => other.tick >= tick) ?? this.ticks.at(-1);
        return row ? row.published + (tick - row.tick) * row.period * 1e6 : 0;
    }

    /** The last tick that was published at an instant. */
    tickAt(nanos) {
        return (this.ticks.findLast(row => row.published <= nanos) ?? this.ticks[0])?.tick ?? 0;
    }
}
