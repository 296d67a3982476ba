/* Keeps the figures of the last ticks and frames, and finds the stutters among them. Instants are the server's nanoseconds. */

const TICK = ["tick", "due", "started", "stepped", "published", "ended", "givenUp", "commands", "events", "inputs", "firstInput", "moved",
    "bodies"];
const FRAME = ["display", "completed", "shownSim", "cover", "holds", "clamps", "error", "lookBehind", "tick"];
const MOST_STUTTERS = 500;

export const PAGE = "this page";
export const VISIBLE_ERROR_NANOS = 1e6;

const millis = name => row => row[name] / 1e6;

/** What can be shown of ticks, by group: a name, and the value of a row. */
export const TICK_GROUPS = {
    "Tick times (ms)": {
        "lateness": millis("lateness"),
        "step": millis("step"),
        "capture": millis("capture"),
        "publish delay": millis("delay"),
        "input latency": row => row.firstInput ? (row.published - row.firstInput) / 1e6 : null,
    },
    "Load": {
        "budget used, %": row => Math.round(100 * (row.ended - row.started) / row.period),
        "given up, ms": millis("givenUp"),
    },
    "World": {
        "bodies moved": row => row.moved < 0 ? null : row.moved,
        "events": row => row.events,
        "commands": row => row.commands,
    },
};

/** What can be shown of the frames of each view. */
export const FRAME_GROUPS = {
    "Animation error (ms)": row => Math.abs(row.error) / 1e6,
    "Look-behind (ms)": millis("lookBehind"),
    "Holds": row => row.held,
    "Clamps": row => row.clamped,
};

const named = (names, values) => Object.fromEntries(names.map((name, index) => [name, values[index]]));

/** The index of the first row whose value of a name is at least one; rows are sorted by it. */
export function lowerBound(rows, name, value) {
    let from = 0;
    let to = rows.length;
    while (from < to) {
        const middle = (from + to) >> 1;
        if (rows[middle][name] < value) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/** The value below which a part of sorted values lies; undefined if there are none. */
export const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];

export class Figures {
    ticks = [];
    frames = new Map([[PAGE, []]]); // name of a view -> rows
    pauses = []; // {from, to, name}
    away = []; // {core, from, to}
    stutters = []; // {nanos, tick}

    constructor(tickNanos, keptNanos) {
        this.tickNanos = tickNanos;
        this.keptNanos = keptNanos;
    }

    addTicks(rows, scale) {
        for (const row of rows.map(values => named(TICK, values))) {
            const last = this.ticks.at(-1);
            if (row.tick <= last?.tick) {
                continue; // sent again after a new connection
            }
            const since = last ? row.due - last.due - Math.max(row.givenUp, last.givenUp) : 0;
            const follows = row.tick === last?.tick + 1 && since > 0 && since < 2 * last.period; // and no pause lies between
            row.period = follows ? since : this.tickNanos / scale;
            row.lateness = row.started - row.due;
            row.step = row.stepped - row.started;
            row.capture = row.published - row.stepped;
            row.delay = row.published - row.due;
            row.after = row.ended - row.published;
            row.isBad = row.delay > row.period || row.givenUp > 0;
            this.add(this.ticks, row, "published");
        }
    }

    addFrames(name, rows) {
        rows.forEach(values => this.addFrame(name, named(FRAME, values)));
    }

    addFrame(name, row) {
        const kept = this.frames.get(name) ?? [];
        this.frames.set(name, kept);
        const last = kept.at(-1) ?? row;
        row.since = row.display - last.display;
        row.held = Math.max(0, row.holds - last.holds);
        row.clamped = Math.max(0, row.clamps - last.clamps);
        row.isAfterHold = last.held > 0;
        row.isBad = (row.held > 0 && !row.isAfterHold) || Math.abs(row.error) > VISIBLE_ERROR_NANOS;
        this.add(kept, row, "display");
    }

    addMachine({pauses, away}) {
        pauses.forEach(([from, to, name]) => this.add(this.pauses, {from, to, name}, "to"));
        away.forEach(([core, from, to]) => this.add(this.away, {core, from, to}, "to"));
    }

    /** Keeps a row, and forgets old ones; stutters of the same tick are one. */
    add(rows, row, time) {
        rows.push(row);
        const oldest = row[time] - this.keptNanos;
        if (rows.length > 1000 && rows[500][time] < oldest) {
            rows.splice(0, lowerBound(rows, time, oldest));
        }
        if (row.isBad && !this.stutters.some(other => other.tick === row.tick)) {
            this.stutters.push({nanos: row[time], tick: row.tick});
            this.stutters.splice(0, this.stutters.length - MOST_STUTTERS);
        }
    }

    row(tick) {
        const row = this.ticks[lowerBound(this.ticks, "tick", tick)];
        return row?.tick === tick ? row : null;
    }

    /** When a tick was published; an estimate if its row is not kept. */
    nanosOf(tick) {
        const row = this.ticks[lowerBound(this.ticks, "tick", tick)] ?? this.ticks.at(-1);
        return row ? row.published + (tick - row.tick) * row.period : 0;
    }

    /** The last tick that was published at an instant. */
    tickAt(nanos) {
        return (this.ticks[lowerBound(this.ticks, "published", nanos) - 1] ?? this.ticks[0])?.tick ?? 0;
    }
}
